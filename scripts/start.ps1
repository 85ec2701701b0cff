# The same as scripts/start, for Windows: scripts\start.ps1 [DIR]
$script = Join-Path $PSScriptRoot "start.py"
if (Get-Command py -ErrorAction SilentlyContinue) {
    & py -3 $script @args
} else {
    & python $script @args
}
exit $LASTEXITCODE
