import type { MirrorLedger } from "~/billing/external/mirror/open-mirror.server"
import type { Config } from "~/config/environment.server"
import { localProvisioner } from "~/provisioning/local/local.server"
import type { Provisioner } from "~/provisioning/provisioner"
import { webhookProvisioner } from "~/provisioning/webhook/webhook.server"

/** Opens the configured provisioner. `mirror`: that of an external billing, which may set services up itself. */
export function openProvisioner(config: Config, mirror: MirrorLedger | null): Provisioner {
  const {
    PROVISIONER_URL: url = "",
    PROVISIONER_SECRET: secret = "",
    UPSTREAM_TIMEOUT_MS: timeoutMs,
  } = config
  // A panel checks the age of a message by its own clock, also while that of a sandbox is ahead.
  if (config.PROVISIONER === "webhook") return webhookProvisioner({ url, secret, now: Date.now, timeoutMs })
  const { PLAYLIST_TEMPLATE_FILE: channelsFile } = config
  const { STREAM_URL: streamUrl = "https://tv.example.com" } = config
  const { PANEL_URL: panelUrl = "https://panel.example.com" } = config
  const local = localProvisioner({ streamUrl, panelUrl, channelsFile })
  return config.PROVISIONER === "billing" && mirror ? mirror.panel(local) : local
}
