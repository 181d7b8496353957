import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect } from "playwright/test"
import { Webhook } from "standardwebhooks"
import { chooseAndPay, goToGateway } from "../../fixtures/no-script-purchase"
import { operatorPage, runAdmin } from "../../fixtures/signed-in-operator"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deep } from "../tags"

type Received = { readonly body: string; readonly headers: Record<string, string> }

/** A receiver on loopback that answers 500 until it is mended. */
async function openReceiver() {
  const received: Received[] = []
  let status = 500
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    received.push({ body, headers: request.headers as Record<string, string> })
    response.writeHead(status).end("<b>says the receiver</b>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    mend: () => {
      status = 204
    },
    close: () => server.close().closeAllConnections(),
  }
}

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an operator connects a system, and sends it again what it has missed`,
    deep,
    async ({ browser }) => {
      const shop = await startShop()
      const receiver = await openReceiver()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }

      await desk.getByRole("navigation").getByRole("link", { name: "Webhooks" }).first().click()
      await look("no webhooks")
      await desk.getByLabel("URL").fill(receiver.url)
      await desk.getByLabel("Description").fill("CRM")
      await desk.getByText("order.*").click()
      await desk.getByLabel("All about: order").check()
      await desk.getByLabel("Reason").fill("new CRM")
      await desk.getByRole("button", { name: "Add an endpoint" }).click()
      const secret = await desk.locator("p.mono").innerText()
      await look("the secret of a webhook")
      await desk.getByRole("link", { name: "I’ve stored it" }).click()

      await desk.getByRole("button", { name: "Send a test event" }).click()
      await expect(desk.getByRole("alert")).toContainText("Not delivered: status 500.")
      await expect(desk.locator("pre")).toHaveText("<b>says the receiver</b>")
      await look("a test event")
      await desk.getByRole("link", { name: "Back to the endpoint" }).click()

      await goToGateway(await chooseAndPay(new Browser(), { shop }))
      await expect.poll(() => receiver.received.length).toBeGreaterThan(1)
      await desk.reload()
      await expect(desk.getByRole("table")).toContainText("order.placed")
      await look("the deliveries of a webhook")
      receiver.mend()
      await desk
        .getByRole("button", { name: /^Send again: evt_/ })
        .first()
        .click()
      await expect(desk.getByRole("status")).toContainText("1 event is sent again")
      await expect
        .poll(() =>
          runAdmin(shop, "webhooks", "list", "--json").then((it) => JSON.parse(it).webhooks[0].pending),
        )
        .toBe(0)
      await desk.reload()
      await expect(desk.getByRole("table")).toContainText("Delivered")
      await look("a delivered event")
      const { body, headers } = receiver.received.at(-1) ?? { body: "", headers: {} }
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "order.placed" })

      await desk.getByText("Pause", { exact: true }).first().click()
      const pausing = desk.locator("form", { has: desk.getByRole("button", { name: "Pause" }) })
      await pausing.getByLabel("Reason").fill("an update")
      await pausing.getByRole("button", { name: "Pause" }).click()
      await expect(desk.locator("main")).toContainText("Paused by an operator.")
      await look("a paused webhook")
      await desk.getByRole("link", { name: "All endpoints" }).click()
      await look("the webhooks")
      receiver.close()
      await shop.stop()
    },
  )
}
