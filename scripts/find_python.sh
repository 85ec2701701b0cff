# Sourced by start and test: puts a Python of 3.11 or newer into $python.
is_new_enough() {
  command -v "$1" >/dev/null 2>&1 && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

python=""
for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14 python; do
  if is_new_enough "$candidate"; then
    python="$candidate"
    break
  fi
done
if [ -z "$python" ]; then
  echo 'Error: No Python 3.11 or newer was found.' >&2
  echo 'Hint: install one, or name it: PYTHON=/path/to/python scripts/start' >&2
  exit 1
fi
