# A connector on any Connect cluster whose REST interface Terraform can reach. The configuration is a file that is also
# tested: the settings of a connector, with its own under upstream.connector.
terraform {
  required_version = ">= 1.5"
  required_providers {
    kafka-connect = {
      source  = "Mongey/kafka-connect"
      version = "0.4.3"
    }
  }
}

variable "connect_url" {
  type        = string
  description = "The REST interface of a worker, such as https://connect.example:8083."
}

variable "database_password" {
  type        = string
  sensitive   = true
  description = "The database password, or a reference to a config provider of the workers, which is better."
}

locals {
  example = jsondecode(file("${path.module}/../../../config-examples/postgres-cdc.json"))
  secret  = "upstream.connector.database.password"
}

provider "kafka-connect" {
  url = var.connect_url
}

resource "kafka-connect_connector" "shop" {
  name = local.example.name
  # The provider compares with what the worker answers, which contains the name.
  config = merge(
    { for key, value in local.example.config : key => value if key != local.secret },
    { name = local.example.name },
  )
  config_sensitive = {
    (local.secret) = var.database_password
  }
}
