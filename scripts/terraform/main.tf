terraform {
  required_providers {
    segment = { source = "uswitch/segment" }
  }
}

variable "per_second" {
  type    = number
  default = 10
}

resource "segment_tracking_plan" "orders" {
  display_name    = "Orders"
  rules_json_file = file("rules.json")
}

resource "segment_source" "shop" {
  catalog_name  = "catalog/sources/javascript"
  source_name   = "shop"
  tracking_plan = segment_tracking_plan.orders.id
  schema_config {
    allow_group_traits_on_violations       = true
    allow_identify_traits_on_violations    = true
    allow_track_event_on_violations        = true
    allow_track_properties_on_violations   = true
    allow_unplanned_group_traits           = true
    allow_unplanned_identify_traits        = true
    allow_unplanned_track_event_properties = true
    allow_unplanned_track_events           = true
    common_group_event_on_violations       = "ALLOW"
    common_identify_event_on_violations    = "ALLOW"
    common_track_event_on_violations       = "ALLOW"
  }
}

resource "segment_destination" "webhooks" {
  source          = segment_source.shop.source_name
  name            = "webhooks"
  enabled         = true
  connection_mode = "UNSPECIFIED"
  config = {
    "hooks"        = jsonencode({ type = "mixed", value = [{ hook = "https://example.com/events", headers = [] }] })
    "globalHook"   = jsonencode({ type = "string", value = "" })
    "sharedSecret" = jsonencode({ type = "string", value = "s3cret" })
  }
}

resource "segment_destination" "acme" {
  source          = segment_source.shop.source_name
  name            = "webhooks-acme"
  enabled         = true
  connection_mode = "UNSPECIFIED"
  config = {
    "hooks"        = jsonencode({ type = "mixed", value = [{ hook = "https://acme.example/events", headers = [] }] })
    "globalHook"   = jsonencode({ type = "string", value = "" })
    "sharedSecret" = jsonencode({ type = "string", value = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" })
    "signature"    = jsonencode({ type = "select", value = "standard-webhooks" })
    "maxPerSecond" = jsonencode({ type = "number", value = var.per_second })
    "ordering"     = jsonencode({ type = "select", value = "user" })
  }
}

resource "segment_destination_filter" "checkouts" {
  destination = segment_destination.webhooks.id
  title       = "Checkouts only"
  description = "Only checkouts are sent"
  condition   = "event != \"Checkout\""
  enabled     = true
  actions {
    drop {}
  }
}
