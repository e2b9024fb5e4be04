# A custom connector of Confluent Cloud. A custom plugin is alone in its class loader: to host a connector, put its jars
# into the directory lib of this archive and upload the one zip. Whether the workers there are exactly-once is the
# service's choice: without it delivery is at least once.
terraform {
  required_version = ">= 1.5"
  required_providers {
    confluent = {
      source  = "confluentinc/confluent"
      version = "2.52.0"
    }
  }
}

variable "environment_id" {
  type = string
}

variable "cluster_id" {
  type = string
}

variable "kafka_api_key" {
  type      = string
  sensitive = true
}

variable "kafka_api_secret" {
  type      = string
  sensitive = true
}

variable "archive" {
  type        = string
  description = "The path of the archive with the hosted connector's jars in its lib."
}

variable "database_host" {
  type        = string
  description = "The database as the connector reaches it: custom connectors may open listed endpoints only."
}

variable "database_password" {
  type      = string
  sensitive = true
}

locals {
  example = jsondecode(file("${path.module}/../../../config-examples/postgres-cdc.json"))
  secret  = "upstream.connector.database.password"
  host    = "upstream.connector.database.hostname"
  # The class is the plugin's, and the service sets the name.
  own = { for key, value in local.example.config : key => value if !contains([local.secret, "connector.class"], key) }
}

resource "confluent_custom_connector_plugin" "microbatch" {
  display_name                = "Kafka Connect Microbatch"
  documentation_link          = "https://github.com/microbatch/kafka-connect-microbatch"
  connector_class             = "io.microbatch.connect.MicrobatchSourceConnector"
  connector_type              = "SOURCE"
  sensitive_config_properties = [local.secret]
  filename                    = var.archive
}

resource "confluent_connector" "shop" {
  environment {
    id = var.environment_id
  }
  kafka_cluster {
    id = var.cluster_id
  }
  config_sensitive = {
    "kafka.api.key"    = var.kafka_api_key
    "kafka.api.secret" = var.kafka_api_secret
    (local.secret)     = var.database_password
  }
  config_nonsensitive = merge(local.own, {
    (local.host)                 = var.database_host
    "confluent.connector.type"   = "CUSTOM"
    "confluent.custom.plugin.id" = confluent_custom_connector_plugin.microbatch.id
    "kafka.auth.mode"            = "KAFKA_API_KEY"
    "name"                       = local.example.name
    "confluent.custom.connection.endpoints" = join(":", [
      var.database_host, local.example.config["upstream.connector.database.port"], "TCP",
    ])
  })
}
