#!/usr/bin/env bash
# Runs a class of Kafka with the variables that Kafka's own script takes.
set -euo pipefail

read -r -a options <<< "${KAFKA_HEAP_OPTS:--Xmx256m} ${KAFKA_JVM_PERFORMANCE_OPTS:--XX:MaxGCPauseMillis=20} \
${KAFKA_LOG4J_OPTS:--Dlog4j2.configurationFile=/etc/kafka/docker/tools-log4j2.yaml} \
${KAFKA_JMX_OPTS:-} ${KAFKA_OPTS:-}"
exec java "${options[@]}" -cp '/opt/kafka/libs/*' "$@"
