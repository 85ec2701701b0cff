"""The command line: find the command, run it, and turn every ending into an exit code (design, section 4)."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from clawvault.cli.endings import (
    BUG,
    INTERRUPTED,
    open_missing_streams,
    report_bug,
    report_error,
    report_os_error,
    report_usage,
    stop_writing,
)
from clawvault.cli.place import Invocation
from clawvault.cli.terminal import prepare_streams
from clawvault.errors import ClawvaultError
from clawvault.version import __version__

PROGRAM = "clawvault"
COMPLETE_VARIABLE = "_CLAWVAULT_COMPLETE"
# Each name is the module under ``commands`` that holds the command of that name, in the order of --help.
COMMANDS = (
    "init",
    "index",
    "watch",
    "search",
    "read",
    "tree",
    "write",
    "append",
    "patch",
    "remember",
    "log",
    "forget",
    "pin",
    "unpin",
    "recalls",
    "dream",
    "lint",
    "archive",
    "profile",
    "undo",
    "context",
    "heartbeat",
    "record",
    "why",
    "eval",
    "status",
    "accept",
    "doctor",
    "model",
    "mcp",
    "guide",
    "connect",
    "completion",
)


class Commands(click.Group):
    """A group that imports a command's module when the command is asked for, and says how everything ends."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signatures are Click's
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command, or return ``None`` when there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"clawvault.cli.commands.{cmd_name}").command
        return command

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,  # noqa: ARG002
        complete_var: str | None = None,  # noqa: ARG002
        standalone_mode: bool = True,
        windows_expand_args: bool = True,  # noqa: ARG002
        **extra: Any,
    ) -> Any:
        """Run the command line and end the process with its exit code; see ``click.Command.main``."""
        prepare_streams()
        self._complete_shell()
        # Click would expand a glob that is meant for --path on Windows, so it gets the words as they are.
        code = self._run(sys.argv[1:] if args is None else list(args), extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _run(self, arguments: list[str], extra: dict[str, Any]) -> int:
        invocation = Invocation()
        try:
            with self.make_context(PROGRAM, arguments, obj=invocation, **extra) as context:
                result = self.invoke(context)
            sys.stdout.flush()
        except click.exceptions.Exit as ending:
            return _flushed(ending.exit_code)
        except click.ClickException as error:
            return report_usage(error)
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            return INTERRUPTED
        except ClawvaultError as error:
            return report_error(error)
        except BrokenPipeError:
            return stop_writing()
        except OSError as error:
            return report_os_error(error, invocation)
        except Exception as error:  # noqa: BLE001 - whatever is left is a fault of this program, and is reported as one
            report_bug(error, invocation)
            return BUG
        return result if isinstance(result, int) else 0

    def _complete_shell(self) -> None:
        instruction = os.environ.get(COMPLETE_VARIABLE)
        if instruction:
            from click.shell_completion import shell_complete

            sys.exit(shell_complete(self, {}, PROGRAM, COMPLETE_VARIABLE, instruction))


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return stop_writing()
    return code


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option("--vault", metavar="DIR", help="The vault; else CLAWVAULT_VAULT, else the nearest one upward.")
@click.option("--debug", is_flag=True, help="Show the traceback of a fault of this program.")
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_obj
def cli(invocation: Invocation, vault: str | None, debug: bool) -> None:
    """The memory a person and their agents share: plain Markdown, found by word and by meaning."""
    invocation.command = click.get_current_context().invoked_subcommand or ""
    invocation.vault = vault
    invocation.debug = debug


def run() -> int:
    """Run ``clawvault`` in this process; return the exit code."""
    open_missing_streams()
    code: int = cli.main(standalone_mode=False)
    return code
