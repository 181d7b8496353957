import { expect } from "playwright/test"
import { startTraceCollector } from "../../fakes/trace-collector"
import { accessOn, chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import { freePort } from "../../support/server/free-port"
import { samplesIn, sumOf } from "../../support/server/metrics"
import { startShop, type TestServer } from "../../support/server/server-process"
import { test } from "../shop-test"

const EMAIL = "ana@example.test"

/** The label values of requests. Other series, such as a kind of garbage collection, may begin at any time. */
function requestSeries(text: string): string[] {
  return samplesIn(text)
    .filter(({ name }) => name === "boxoffice_request_duration_seconds_count")
    .map(({ labels }) => `${labels["method"]} ${labels["route"]} ${labels["status"]}`)
}

/** Starts a shop with its own metrics port. */
async function startMeasuredShop() {
  const port = await freePort()
  const shop = await startShop({ env: { METRICS_PORT: String(port) } })
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return { shop, port, read }
}

function buy(shop: TestServer, browser = new Browser()) {
  return chooseAndPay(browser, { shop, email: EMAIL })
    .then(goToGateway)
    .then((gateway) => payAt(gateway))
    .then(waitForAccess)
}

test("the metrics show the requests, the payment, the callback and the order of a purchase", async () => {
  const { shop, read } = await startMeasuredShop()
  await buy(shop)
  await expect.poll(async () => sumOf(await read(), "boxoffice_orders", { state: "active" })).toBe(1)

  const shown = await read()
  expect(sumOf(shown, "boxoffice_payment_attempts_total", { gateway: "offshore", outcome: "opened" })).toBe(1)
  expect(
    sumOf(shown, "boxoffice_callbacks_total", { gateway: "offshore", outcome: "update" }),
  ).toBeGreaterThan(0)
  expect(
    sumOf(shown, "boxoffice_payment_updates_total", { gateway: "offshore", outcome: "applied" }),
  ).toBeGreaterThan(0)
  const request = "boxoffice_request_duration_seconds_count"
  expect(sumOf(shown, request, { route: "/:locale?", method: "GET", status: "2xx" })).toBeGreaterThan(0)
  expect(sumOf(shown, request, { route: "/:locale?/creatingOrder", method: "POST", status: "3xx" })).toBe(1)
  expect(sumOf(shown, "boxoffice_cache_reads_total", { cache: "catalogue" })).toBeGreaterThan(0)
  expect(sumOf(shown, "boxoffice_cache_reads_total", { cache: "first page", outcome: "miss" })).toBe(1)
  expect(sumOf(shown, "boxoffice_oldest_unprovisioned_order_seconds")).toBe(0)
  expect(sumOf(shown, "boxoffice_database_up")).toBe(1)
  expect(sumOf(shown, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0)
  await shop.stop()
})

test("unknown URLs do not appear in the metrics, and forty of them add two series of requests", async () => {
  const { shop, read } = await startMeasuredShop()
  await fetch(`${shop.url}/checkout/waiting`, { redirect: "manual" })
  await fetch(`${shop.url}/checkout/nowhere/0`)
  const before = requestSeries(await read())
  for (let number = 1; number <= 20; number++) {
    await fetch(`${shop.url}/checkout/nowhere/${number}?email=${EMAIL}`)
    await fetch(`${shop.url}/checkout/assets/none-${number}.js`)
  }
  const after = await read()
  // The email address is removed by a redirect; then the page is 404.
  expect(requestSeries(after).filter((it) => !before.includes(it))).toEqual(["GET /* 3xx", "GET file 4xx"])
  expect(after).not.toContain("nowhere")
  expect(after).not.toContain(EMAIL)
  await shop.stop()
})

test("the metrics are available on the metrics port only, and the shop on its own port only", async () => {
  const { shop, port } = await startMeasuredShop()
  for (const path of ["/metrics", "/checkout/metrics", "/checkout/api/metrics"]) {
    expect((await fetch(`${shop.url}${path}`)).status).toBe(404)
  }
  for (const path of ["/", "/checkout/", "/metrics/x"]) {
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404)
  }
  expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: "POST" })).status).toBe(404)
  await shop.stop()
})

test("a purchase is traced from the request to the gateway within the incoming trace, without personal data", async () => {
  const collector = await startTraceCollector()
  const shop = await startShop({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      // The collector is this process: on a busy machine it takes longer than the two seconds after which spans are dropped.
      OTEL_EXPORTER_OTLP_TIMEOUT: "10000",
    },
  })
  const trace = "0af7651916cd43dd8448eb211c80319c"
  const browser = new Browser({ traceparent: `00-${trace}-b7ad6b7169203331-01` })
  const access = accessOn(await buy(shop, browser))
  await shop.stop()

  const sent = collector.received()
  for (const name of [
    "GET /:locale?",
    "POST /:locale?/creatingOrder",
    "loader routes/checkout",
    "action routes/creating-order",
    "POST 127.0.0.1",
    "POST /api/payments/:gateway/callback",
  ]) {
    expect(sent.includes(name), name).toBe(true)
  }
  expect(sent.includes(Buffer.from(trace, "hex"))).toBe(true)
  for (const secret of [EMAIL, "ana", access?.username, access?.password, "resume=", "whsec_"]) {
    expect(secret && sent.includes(secret), secret).toBe(false)
  }
  await collector.close()
})

test("an unavailable trace collector affects neither purchases nor the shutdown", async () => {
  const shop = await startShop({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` },
  })
  await buy(shop)
  expect(await shop.stop()).toBe(0)
})
