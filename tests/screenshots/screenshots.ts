import { rmSync } from "node:fs"
import { type Browser, chromium } from "playwright"
import { findChromium } from "../../scripts/setup/find-chromium.mjs"
import { startOnWhmcs } from "../e2e/start-shop"
import { PANEL_SECRET, startPanel } from "../fakes/fake-panel"
import { startShopWithUnreliableGateway } from "../fakes/faulty-gateway"
import { settingsWithLaw } from "../fixtures/shop-with-law"
import { offerTrial } from "../fixtures/shop-with-trial"
import { BROWSER_AGENT } from "../support/browser/page-actions"
import { runServerCommand } from "../support/server/run-server-command"
import { startShop, type TestServer } from "../support/server/server-process"
import { checkoutScenes } from "./checkout-scenes"
import { BLOCKED, billingScenes, fraudScene, gatewayScene, priceScene } from "./error-scenes"
import { Camera } from "./gallery-writer"
import { lawScenes } from "./law-scenes"
import { emptyScene, momentScenes } from "./moment-scenes"
import { resellerScenes } from "./reseller-scenes"
import type { Tour } from "./scene-context"
import { pendingScenes, successScenes } from "./success-scenes"
import { trialScenes } from "./trial-scenes"
import { waitingScenes } from "./waiting-scenes"

type Film = { readonly browser: Browser; readonly camera: Camera; readonly spoken: typeof languages }

/** Opens the shop for a group of scenes, runs them and closes it. */
type Stage = (
  play: (shop: TestServer, scenes: (tour: Tour) => Promise<void>) => Promise<void>,
) => Promise<void>

const stages: Readonly<Record<string, Stage>> = {
  async usual(play) {
    const shop = await startShop({ env: { TRUSTED_PROXIES: "loopback" } })
    await runServerCommand(["admin", "blocks", "add", BLOCKED], { DATA_DIR: shop.dataDir })
    for (const scenes of [checkoutScenes, successScenes, resellerScenes, fraudScene, priceScene]) {
      await play(shop, scenes)
    }
    await play(shop, waitingScenes)
    await shop.stop()
  },
  async moments(play) {
    const shop = await startShop()
    await play(shop, momentScenes)
    await shop.stop()
  },
  async trial(play) {
    const shop = await startShop()
    await offerTrial(shop)
    await play(shop, trialScenes)
    await shop.stop()
  },
  async law(play) {
    const { env, folder } = settingsWithLaw()
    const shop = await startShop({ env })
    await play(shop, lawScenes)
    await shop.stop()
    rmSync(folder, { recursive: true })
  },
  async panel(play) {
    const panel = await startPanel()
    panel.break(true)
    const settings = { PROVISIONER: "webhook", PROVISIONER_URL: panel.url, PROVISIONER_SECRET: PANEL_SECRET }
    const shop = await startShop({ env: settings })
    await play(shop, pendingScenes)
    await shop.stop()
    await panel.stop()
  },
  async gateway(play) {
    const { shop, gateway, stop } = await startShopWithUnreliableGateway({ UPSTREAM_TIMEOUT_MS: "700" })
    gateway.set("refuse")
    await play(shop, gatewayScene)
    gateway.set("pass")
    await stop()
  },
  async billing(play) {
    const { shop, whmcs } = await startOnWhmcs({ env: { BILLING_TIMEOUT_MS: "1000" } })
    await play(shop, (tour) =>
      billingScenes(tour, (down) => {
        whmcs.quirks.down = down
      }),
    )
    await shop.stop()
  },
  async empty(play) {
    // Nothing listens there, since the shop started.
    const { shop } = await startOnWhmcs({ env: { WHMCS_URL: "http://127.0.0.1:9" } })
    await play(shop, emptyScene)
    await shop.stop()
  },
}

/** Pictures of each moment beside the usual way. */
const moments = {
  empty: ["moment-empty", "moment-empty-resellers"],
  loading: ["moment-loading"],
  offline: ["moment-offline", "moment-offline-checkout"],
  paused: ["checkout-paused"],
  "out of stock": ["moment-out-of-stock"],
  expired: ["waiting-expired"],
  held: ["fraud"],
  "partly paid": ["waiting-partly-paid"],
  refunded: ["moment-refunded"],
  suspended: ["moment-suspended"],
  "by law": ["law-checkout", "law-undeclared", "law-service"],
  withdrawal: ["withdrawal-asked", "withdrawal-to-confirm", "withdrawal-received"],
  trial: ["trial-offered", "trial", "trial-refused", "trial-service"],
  "several services": ["services-with-trial", "account"],
  "another browser": ["moment-other-browser", "moment-other-browser-opened", "moment-without-cookies"],
}

/** English in every look, and the language with the longest texts. */
const languages = [
  { language: "en", prefix: "" },
  { language: "de", prefix: "/de-de" },
]

export const stageNames: readonly string[] = Object.keys(stages)

/** `stage`, `width`, `language`: the only one to take; without a value all. */
type Wanted = { folder: string; stage?: string; width?: string; language?: string }

/** Takes a screenshot of every screen in every state; returns a summary. */
export async function shots({ folder, stage: only, width, language }: Wanted): Promise<string> {
  const wanted = Object.entries(stages).filter(([name]) => only === undefined || name === only)
  const spoken = languages.filter((it) => language === undefined || it.language === language)
  const camera = new Camera(folder, width)
  let missing: string[] = []
  const browser = await chromium.launch({
    executablePath: findChromium() ?? "chromium",
    // The sandbox of the distribution's Chromium does not work as root.
    chromiumSandbox: process.getuid?.() !== 0,
  })
  try {
    for (const [, stage] of wanted)
      await stage((shop, scenes) => playIn({ browser, camera, spoken }, shop, scenes))
  } finally {
    await browser.close()
    missing = camera.writeIndex(moments)
  }
  if (!only && missing.length > 0) throw new Error(`Moments without a picture: ${missing.join(", ")}`)
  return `${camera.count} pictures in ${folder}; index.html shows them all.`
}

async function playIn(film: Film, shop: TestServer, scenes: (tour: Tour) => Promise<void>): Promise<void> {
  for (const language of film.spoken) await scenes(tourOf(film, shop, language))
}

let visitors = 0

function tourOf(
  { browser, camera }: Pick<Film, "browser" | "camera">,
  shop: TestServer,
  { language, prefix }: { language: string; prefix: string },
): Tour {
  return {
    shop,
    prefix,
    async visitor({ address = "192.0.2.1", script = true } = {}) {
      const context = await browser.newContext({
        userAgent: BROWSER_AGENT,
        javaScriptEnabled: script,
        locale: language,
        extraHTTPHeaders: { "x-forwarded-for": address },
      })
      return context.newPage()
    },
    take: (page, name) => camera.take(page, name, { language, whole: true }),
    takeMoving: (page, name) => camera.take(page, name, { language, whole: true, isMoving: true }),
    glance: (page, name) => camera.take(page, name, { language, whole: false }),
    email: () => `buyer${++visitors}@example.test`,
  }
}
