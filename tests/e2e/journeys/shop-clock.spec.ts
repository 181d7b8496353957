import { expect, test } from "playwright/test"
import { deDe } from "~/i18n/translations/de-de"
import { enEn } from "~/i18n/translations/en-en"
import { goToGateway, payAt } from "../../fixtures/no-script-purchase"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop, type TestServer } from "../../support/server/server-process"
import { deep } from "../tags"

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop()
})
test.afterAll(() => shop.stop())

/** Text of the shop's time up to the date, which the test does not know. */
const shopTimeIn = ({ frame }: typeof enEn | typeof deDe) => frame.shopTime.split("{{time}}")[0] ?? ""

test(
  "a sandbox whose clock is moved by a month says so on every page, takes payments and ends what is due",
  deep,
  async () => {
    const browser = new Browser()
    const home = `${shop.url}/checkout/`
    expect((await browser.visit(home)).text).not.toContain(shopTimeIn(enEn))

    const { output } = await runServerCommand(["admin", "clock", "advance", "30d"], {
      DATA_DIR: shop.dataDir,
    })
    expect(output).toContain("720 hours ahead")
    await expect.poll(async () => (await browser.visit(home)).text).toContain(shopTimeIn(enEn))
    for (const path of ["de-de", "de-de/resellers", "de-de/nothing"])
      expect((await new Browser().visit(`${home}${path}`)).text).toContain(shopTimeIn(deDe))

    const fields = { plan: "3", email: uniqueEmail("later"), gateway: "offshore" }
    const form = await browser.visit(home)
    const review = await form.submit({ button: { value: "pay" }, fields })
    const paid = await payAt(await goToGateway(review))
    expect(paid.url.pathname).toMatch(/waiting|success/)
    await expect.poll(async () => (await browser.visit(`${home}success`)).text).toMatch(/TV[0-9A-Z]{8}/)

    await shop.restart()
    expect((await browser.visit(home)).text).toContain(shopTimeIn(enEn))
  },
)
