import { expect } from "playwright/test"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { expectAccessible, sampleViews } from "../../support/browser/accessibility-checks"
import { Browser } from "../../support/browser/no-script-browser"
import { test } from "../shop-test"
import { startShop } from "../start-shop"
import { deepUnless } from "../tags"

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" fill="#0a7a5a"/></svg>'

for (const javaScriptEnabled of [true, false]) {
  test(
    `${javaScriptEnabled ? "with" : "without"} JavaScript an owner changes a colour, a logo and a method's name, a German visitor sees them, and they are taken back and reset`,
    deepUnless(!javaScriptEnabled),
    async ({ browser }) => {
      const shop = await startShop()
      const desk = await operatorPage(browser, shop, { javaScriptEnabled })
      const look = async (name: string) => {
        if (javaScriptEnabled) await expectAccessible(desk, name, sampleViews)
      }
      const german = async () => (await new Browser().visit(`${shop.url}/checkout/de-de`)).body
      const toList = () => desk.goto(`${shop.url}/checkout/admin/brand`)

      await desk.getByRole("navigation").getByRole("link", { name: "Brand and texts" }).first().click()
      await look("brand and texts")
      await desk.getByRole("link", { name: "Name and colours" }).click()
      await desk.getByText("Change", { exact: true }).first().click()
      await desk.getByLabel("Colour", { exact: true }).fill("green")
      await desk.getByRole("button", { name: "Preview" }).click()
      await expect(desk.getByText("must be a colour, for example #405db1")).toBeVisible()
      await look("a colour that is refused")
      await desk.getByLabel("Colour", { exact: true }).fill("#0a7a5a")
      await desk.getByRole("button", { name: "Preview" }).click()
      await expect(desk.locator("header").first()).toContainText("Nothing is saved")
      await look("the preview")
      await desk.getByRole("link", { name: "Message" }).click()
      await desk.getByRole("link", { name: "de-de" }).click()
      await expect(desk.locator("main")).toContainText("Bestell")
      await look("the preview of a message")
      expect(await german()).not.toContain("#0a7a5a")
      await desk.getByRole("link", { name: "Back to the form" }).click()
      await expect(desk.getByLabel("Colour", { exact: true })).toHaveValue("#0a7a5a")
      await desk.getByLabel("Reason").fill("our green")
      await desk.getByRole("button", { name: "Change", exact: true }).click()
      await expect(desk.getByRole("status").first()).toBeVisible()
      await expect.poll(german).toContain("--brand:#0a7a5a")

      await toList()
      await desk.getByRole("link", { name: "Payment methods" }).click()
      await desk.getByText("Change", { exact: true }).first().click()
      await desk.getByLabel("Offshore: Name (de-de)").fill("Überweisung an Nordlicht")
      await desk.getByLabel("Reason").fill("clearer")
      await desk.getByRole("button", { name: "Change", exact: true }).click()
      await expect.poll(german).toContain("Überweisung an Nordlicht")

      await toList()
      await desk.getByRole("link", { name: "Logo", exact: true }).click()
      await desk.getByText("Change", { exact: true }).first().click()
      await look("the logo")
      await desk
        .getByLabel("Picture")
        .setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(SVG) })
      await desk.getByLabel("Reason").fill("our logo")
      await desk.getByRole("button", { name: "Change", exact: true }).click()
      await expect.poll(german).toMatch(/\/checkout\/logo-[0-9a-f]{12}\.svg/)
      const [address = ""] = /\/checkout\/logo-[0-9a-f]{12}\.svg/.exec(await german()) ?? []
      const picture = await fetch(`${shop.url}${address}`)
      expect([picture.status, await picture.text()]).toEqual([200, SVG])
      expect(picture.headers.get("content-security-policy")).toMatch(/default-src 'none'.*; sandbox$/)
      expect(picture.headers.get("x-content-type-options")).toBe("nosniff")
      expect(picture.headers.get("cache-control")).toContain("immutable")

      await toList()
      await desk.getByRole("link", { name: "Version 2" }).click()
      await expect(desk.locator("main")).toContainText("Überweisung an Nordlicht")
      await desk.getByLabel("Number of another version").fill("0")
      await desk.getByRole("button", { name: "Compare" }).click()
      await expect(desk.locator("main")).toContainText("What is different from the shop file")
      await look("a version")
      await toList()
      await desk.getByRole("link", { name: "Version 1" }).click()
      await desk.getByText("Take back to version 1").first().click()
      await desk.getByLabel("Reason").fill("too early")
      await desk.getByRole("button", { name: "Take back to version 1" }).click()
      await expect.poll(german).not.toContain("Überweisung an Nordlicht")
      expect(await german()).toContain("--brand:#0a7a5a")

      await toList()
      await desk.getByText("Reset to the shop file").first().click()
      await desk.getByLabel("Reason").fill("enough")
      await desk.getByRole("button", { name: "Reset to the shop file" }).click()
      await expect(desk.locator("main")).toContainText("Everything is as in the shop file")
      await expect.poll(german).toContain("--brand:#405db1")
      await shop.stop()
    },
  )
}
