#!/usr/bin/env bash
set -euo pipefail

exec "$(dirname "$0")/kafka-run-class.sh" kafka.tools.StorageTool "$@"
