#!/usr/bin/env bash
set -euo pipefail

export KAFKA_HEAP_OPTS="${KAFKA_HEAP_OPTS:--Xms256m -Xmx2g}"
export KAFKA_LOG4J_OPTS="${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.yaml}"
exec "$(dirname "$0")/kafka-run-class.sh" org.apache.kafka.connect.cli.ConnectDistributed "$@"
