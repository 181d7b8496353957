import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { join } from "node:path"
import pino from "pino"
import { readConfig } from "~/config/config.server"
import type { LoggedServices } from "~/context/services.server"
import { type GatewayId, gatewayIds } from "~/domain/payments/gateway-id"
import { webhookProvisioner } from "~/provisioning/webhook/webhook.server"
import type { OutcomeName } from "~/sandbox/outcomes"
import { startSandbox } from "~/sandbox/sandbox.server"
import { sandboxSettings } from "~/wiring/gateway-settings.server"
import { openGateway } from "~/wiring/gateways.server"
import { openTestShop } from "../../fixtures/test-shop"
import { freePort } from "../../support/server/free-port"
import { temporaryFolder } from "../../support/temporary-folder"
import { loadSystemState } from "../invariants/load-state"
import type { SystemState } from "../invariants/system-state"
import { type BillingSetup, type OpenBillingSetup, openBillingSetup } from "./billing-setups"
import { openCallbackEndpoint, until } from "./callback-endpoint"
import { type HttpFaultProxy, openHttpFaultProxy } from "./http-fault-proxy"
import { openPanel, PANEL_SECRET } from "./stateful-panel"

/** Short, so that a hanging upstream costs little time; long enough for a busy machine. */
const TIMEOUT_MS = 2_000

/** Fault proxies by upstream; `callback` is between the gateways and the shop. */
export type LineName = "gateway" | "callback" | "panel" | "books"

export type FaultyShop = {
  readonly services: LoggedServices
  readonly lines: Readonly<Record<LineName, HttpFaultProxy>>
  /**
   * The buyer chooses an outcome on the gateway's page; true if the gateway accepts it. Waits until the callback is
   * delivered or dropped.
   */
  decide(payUrl: string, outcome: OutcomeName): Promise<boolean>
  /** Advances the clock of all parties; a negative value sets it back. */
  wait(milliseconds: number): void
  /** Sets the error of the shop's own clock; 0: correct. */
  goWrong(milliseconds: number): void
  /** Makes writes fail with SQLite's error for a full disk. */
  fillDisk(isFull: boolean): Promise<void>
  /** Restarts the gateway's process; pending callbacks are sent afterwards. */
  restartGateway(): Promise<void>
  state(meant: SystemState["meant"]): Promise<SystemState>
  /** Returns the violations in the external billing system. */
  externalViolations(database: SystemState["database"]): readonly string[]
  close(): Promise<void>
}

/** Opens a shop whose upstreams are real servers on this machine, each behind a fault proxy. */
export async function openFaultyShop(keptBy: BillingSetup = "ours"): Promise<FaultyShop> {
  const dataDir = temporaryFolder()
  const databaseUrl = join(dataDir, "boxoffice.db")
  const opened = Promise.withResolvers<OpenBillingSetup>()
  const shop = await openTestShop({
    async openBilling(now) {
      opened.resolve(await openBillingSetup[keptBy]({ databaseUrl, timeoutMs: TIMEOUT_MS, newId, now }))
      return (await opened.promise).billing
    },
  })
  const billingSetup = await opened.promise
  let skew = 0
  const port = await freePort()
  const behind = `http://127.0.0.1:${port}`
  const panel = await openPanel()
  const proxy = await openCallbackEndpoint(() => services)
  const lines = {
    gateway: await openHttpFaultProxy(behind),
    callback: await openHttpFaultProxy(proxy.origin),
    panel: await openHttpFaultProxy(panel.origin),
    books: billingSetup.line,
  }
  const config = readConfig({
    DATA_DIR: dataDir,
    SANDBOX: "on",
    PUBLIC_URL: lines.callback.origin,
    UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS),
    SESSION_SECRETS: "x".repeat(32),
  })
  const { now } = shop.services
  const startGateway = () =>
    startSandbox({
      host: "127.0.0.1",
      port,
      file: join(dataDir, "sandbox.db"),
      ...sandboxSettings(config),
      publicOrigin: lines.gateway.origin,
      now,
      log: pino({ level: "silent" }),
    })
  let sandbox = await startGateway()
  const received = webhookProvisioner({
    url: lines.panel.origin,
    secret: PANEL_SECRET,
    timeoutMs: TIMEOUT_MS,
    retryDelaysMs: [5],
    now: () => now() + skew,
  })
  const services: LoggedServices = {
    ...shop.services,
    newId,
    now: () => now() + skew,
    shop: { ...shop.services.shop, publicUrl: lines.callback.origin },
    gateways: gatewaysBehind(lines.gateway, config, () => now() + skew),
    enabledGateways: gatewayIds,
    provisioner: billingSetup.provisioner(received) ?? received,
  }

  return {
    services,
    lines,
    wait: shop.wait,
    goWrong(milliseconds) {
      skew = milliseconds
    },
    fillDisk: billingSetup.fillDisk,
    externalViolations: billingSetup.violations,
    async decide(payUrl, outcome) {
      const before = lines.callback.calls.length
      const page = payUrl.replace(lines.gateway.origin, behind)
      const response = await fetch(page, {
        method: "POST",
        body: new URLSearchParams({ outcome }),
        redirect: "manual",
      })
      await response.body?.cancel()
      const taken = response.headers.get("location")?.startsWith(lines.callback.origin) ?? false
      if (taken && !silent.includes(outcome)) await until(() => lines.callback.calls.length > before)
      await until(() => lines.callback.busy() === 0)
      return taken
    },
    async restartGateway() {
      await sandbox.close()
      sandbox = await startGateway()
      await until(() => lines.callback.busy() === 0)
    },
    state: (meant) =>
      loadSystemState({ dataDir, panel: billingSetup.panelLines() ?? panel.lines(), meant, now: now() }),
    async close() {
      await sandbox.close()
      await Promise.all([lines.gateway, lines.callback, lines.panel].map((line) => line.close()))
      await Promise.all([panel.close(), proxy.close(), billingSetup.close()])
      rmSync(dataDir, { recursive: true })
    },
  }
}

const newId = () => randomBytes(16).toString("base64url")

/** Outcomes for which the gateway sends no callback. */
const silent: readonly OutcomeName[] = ["abandoned", "paid-unreported"]

/** Without circuit breakers, whose half minute would be measured by the machine's clock. */
function gatewaysBehind(line: HttpFaultProxy, config: ReturnType<typeof readConfig>, now: () => number) {
  const opened = (id: GatewayId) => openGateway[id](config, { now, sandbox: { origin: line.origin } })
  return new Map(
    gatewayIds.map((id) => [
      id,
      { ...opened(id), healthy: () => true, health: () => ({ downSince: null, lastSuccessAt: null }) },
    ]),
  )
}
