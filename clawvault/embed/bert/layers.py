"""The layers of a BERT model in NumPy: pure, texts side by side without padding.

All tokens of all texts stand in one matrix, so that no work goes into padding; only attention looks at each text alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clawvault.embed.protocol import FloatArray

# Rows of activations that stay in a processor's second cache while they are worked on.
BLOCK_ROWS = 32
# 1 - erf(x) = (1 + a1 x + ... + a6 x^6)^-16, off by less than 3e-7 (Abramowitz and Stegun 1964, 7.1.28); here of
# x / sqrt(2), the highest power first.
_ERF = [
    np.float32(factor * 0.5 ** (power / 2))
    for power, factor in (
        (6, 0.0000430638),
        (5, 0.0002765672),
        (4, 0.0001520143),
        (3, 0.0092705272),
        (2, 0.0422820123),
        (1, 0.0705230784),
    )
]
_HALF, _ONE, _ZERO = np.float32(0.5), np.float32(1), np.float32(0)


@dataclass(frozen=True, slots=True)
class Norm:
    """Hold the weight and bias of a layer normalisation, (dims,) each."""

    weight: FloatArray
    bias: FloatArray


@dataclass(frozen=True, slots=True)
class Dense:
    """Hold the weight, (out, in), and bias, (out,), of a linear map."""

    weight: FloatArray
    bias: FloatArray


@dataclass(frozen=True, slots=True)
class Layer:
    """Hold one layer; ``attend`` makes queries, already divided by the root of a head's size, keys and values."""

    attend: Dense
    attended: Dense
    attended_norm: Norm
    widen: Dense
    narrow: Dense
    norm: Norm


def run_layers(tokens: FloatArray, lengths: Sequence[int], layers: Iterable[Layer], heads: int, eps: float) -> None:
    """Turn the embeddings of tokens into what the model makes of them, in place.

    Args:
        tokens: (t, dims) float32, the normalised embeddings of all tokens of all texts, text after text.
        lengths: Tokens of each text; they add up to t.
        layers: The layers in order; each is asked for when the one before is done.
        heads: Attention heads of a layer.
        eps: Added to the variance in a normalisation.

    Source: Devlin et al. 2019, BERT.
    """
    for layer in layers:
        tokens += apply(layer.attended, attend(apply(layer.attend, tokens), lengths, heads))
        normalise(tokens, layer.attended_norm, eps)
        wide = apply(layer.widen, tokens)
        gelu(wide)
        tokens += apply(layer.narrow, wide)
        normalise(tokens, layer.norm, eps)


def apply(dense: Dense, rows: FloatArray) -> FloatArray:
    """Map rows linearly: (n, in) to (n, out)."""
    mapped: FloatArray = rows @ dense.weight.T
    mapped += dense.bias
    return mapped


def attend(attending: FloatArray, lengths: Sequence[int], heads: int) -> FloatArray:
    """Mix the values of each text's tokens by how well its queries fit its keys.

    Args:
        attending: (t, 3 * dims): queries, keys and values.
        lengths: Tokens of each text.
        heads: Number of parts that attend each for itself.

    Returns:
        (t, dims) float32.
    """
    total, width = attending.shape
    split = attending.reshape(total, 3, heads, width // 3 // heads)
    mixed = np.empty((total, heads, split.shape[3]), dtype=np.float32)
    start = 0
    for length in lengths:
        text = slice(start, start + length)
        queries, keys, values = (split[text, part].transpose(1, 0, 2) for part in range(3))
        fit = queries @ keys.transpose(0, 2, 1)
        fit -= fit.max(axis=2, keepdims=True)
        np.exp(fit, out=fit)
        found = fit @ values
        found /= fit.sum(axis=2, keepdims=True)
        mixed[text] = found.transpose(1, 0, 2)
        start += length
    return mixed.reshape(total, width // 3)


def normalise(rows: FloatArray, norm: Norm, eps: float) -> None:
    """Give every row mean 0 and variance 1, then the weight and bias, in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= (_ONE / np.sqrt(variance + np.float32(eps)))[:, None]
    rows *= norm.weight
    rows += norm.bias


def gelu(rows: FloatArray) -> None:
    """Apply the Gaussian error linear unit in place, exact to float32 (Hendrycks and Gimpel 2016)."""
    # What is too large for float32 here is a divisor: the quotient is the right one, 0.
    with np.errstate(over="ignore"):
        for start in range(0, len(rows), BLOCK_ROWS):
            block = rows[start : start + BLOCK_ROWS]
            # x * Phi(x) is max(x, 0) less |x| / 2 * (1 - erf(|x| / sqrt 2)).
            size = np.abs(block)
            power = size * _ERF[0]
            for factor in _ERF[1:]:
                power += factor
                power *= size
            power += _ONE
            for _ in range(4):
                power *= power
            size *= _HALF
            size /= power
            np.maximum(block, _ZERO, out=block)
            block -= size
