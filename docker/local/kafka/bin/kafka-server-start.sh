#!/usr/bin/env bash
set -euo pipefail

export KAFKA_HEAP_OPTS="${KAFKA_HEAP_OPTS:--Xms1g -Xmx1g}"
export KAFKA_LOG4J_OPTS="${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=/opt/kafka/config/log4j2.yaml}"
exec "$(dirname "$0")/kafka-run-class.sh" kafka.Kafka "$@"
