import { expect, type Locator } from "playwright/test"
import { locales } from "~/domain/locales"
import { PANEL_SECRET, startPanel } from "../../fakes/fake-panel"
import { buyForPage, giveSession, orderForPage } from "../../fixtures/purchase-for-page"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { signInLink } from "../../fixtures/sign-in-link"
import { operatorPage } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { Browser } from "../../support/browser/no-script-browser"
import {
  BROWSER_AGENT,
  orderNumberOn,
  scriptRuns,
  signInByPassword,
  typePromoCode,
} from "../../support/browser/page-actions"
import { runServerCommand } from "../../support/server/run-server-command"
import { startShop } from "../../support/server/server-process"
import { test } from "../shop-test"

const PHONE = { width: 360, height: 740 }

test.use({ userAgent: BROWSER_AGENT, viewport: PHONE })

test("the status of a service that is being set up is as low as a line and begins where its heading does", async ({
  page,
}) => {
  const panel = await startPanel()
  panel.break(true)
  const settings = { PROVISIONER: "webhook", PROVISIONER_URL: panel.url, PROVISIONER_SECRET: PANEL_SECRET }
  const shop = await startShop({ env: settings })
  await page.goto(await orderForPage(page, shop))
  await page.locator('button[value="paid"]').click()
  await page.waitForURL(/\/success$/)
  const pill = await boxOf(page.locator(".pill"))
  const heading = await boxOf(page.locator("h1"))
  expect(pill.height).toBeLessThan(30)
  expect(pill.left).toBeGreaterThanOrEqual(heading.left)
  await shop.stop()
  await panel.stop()
})

test("beside a name of several lines the arrow of a fold keeps its size", async ({ page, sharedShop }) => {
  const email = `maximiliane.von-hohenzollern-sigmaringen.rechnungen.${uniqueEmail()}`
  await buyForPage(page, await sharedShop(), { email })
  await page.setViewportSize({ width: 320, height: 740 })
  const arrows = page.locator(".folded summary, .fold > summary").filter({ visible: true })
  const widths = await arrows.evaluateAll((all) => all.map((it) => getComputedStyle(it, "::after").width))
  expect(widths.length).toBeGreaterThan(4)
  expect(new Set(widths)).toEqual(new Set(["9px"]))
})

test("on a wide screen what helps when nothing plays is two in a row, each pair of one height", async ({
  page,
  sharedShop,
}) => {
  await buyForPage(page, await sharedShop())
  await page.setViewportSize({ width: 1280, height: 800 })
  const [first, second, third, fourth] = await page
    .locator(".tile")
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON() as DOMRect))
  for (const [left, right] of [
    [first, second],
    [third, fourth],
  ]) {
    expect(right?.top).toBe(left?.top)
    expect(right?.height).toBe(left?.height)
    expect(right?.left).toBeGreaterThan(left?.right ?? Number.POSITIVE_INFINITY)
  }
})

test("the words of each tile begin at its left edge, of buttons as of links", async ({
  page,
  sharedShop,
}) => {
  await buyForPage(page, await sharedShop())
  await page.setViewportSize({ width: 768, height: 800 })
  const indents = await page
    .locator(".tile")
    .evaluateAll((all) =>
      all.map(
        (it) => (it.firstElementChild?.getBoundingClientRect().left ?? 0) - it.getBoundingClientRect().left,
      ),
    )
  expect(indents.length).toBeGreaterThan(3)
  expect(Math.max(...indents) - Math.min(...indents)).toBeLessThan(1)
})

test("on a tablet a coin's network and time stand in one line", async ({ page, sharedShop }) => {
  await page.setViewportSize({ width: 768, height: 800 })
  await page.goto(`${(await sharedShop()).url}/checkout/de-de`)
  await page.locator('input[name="gateway"][value="cryptomusgateway"]').check({ force: true })
  const shown = page.locator(".coin-tiles small").filter({ visible: true })
  const lines = await shown.evaluateAll((all) =>
    all.map((it) => {
      const text = document.createRange()
      text.selectNodeContents(it)
      return new Set([...text.getClientRects()].map(({ top }) => top)).size
    }),
  )
  expect(lines).toEqual([1, 1, 1, 1, 1])
})

test("on a wide screen the order's currencies and the note below the email keep their distance", async ({
  page,
  sharedShop,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  const heading = await boxOf(page.locator(".summary-head h2"))
  expect((await boxOf(page.locator(".currencies"))).top - heading.bottom).toBeGreaterThanOrEqual(8)
  const field = await boxOf(page.locator("[name=email]"))
  const note = page.locator("[role=status] + .note").first()
  expect((await boxOf(note)).top - field.bottom).toBeGreaterThanOrEqual(6)
})

test("no line that separates methods is drawn over the edge of the chosen one", async ({
  page,
  sharedShop,
}) => {
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  await page.locator('input[name="gateway"]').nth(1).check({ force: true })
  const isDrawn = await page
    .locator(".gateway")
    .evaluateAll((all) => all.map((it) => getComputedStyle(it, "::before").content !== "none"))
  expect(isDrawn).toEqual([false, false, false, true])
})

test("an unfolded code and its error keep their distance from the total", async ({ page, sharedShop }) => {
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  const rooms: number[] = []
  const measure = async (last: Locator) =>
    rooms.push((await boxOf(page.locator(".summary .total"))).top - (await boxOf(last)).bottom)
  await typePromoCode(page, "NOSUCHCODE")
  await measure(page.locator("[name=promoCode]"))
  await page.locator('button[value="apply-promo"]').click()
  const problem = page.locator("#order-promoCode-error")
  await problem.waitFor()
  await measure(problem)
  for (const room of rooms) expect(room).toBeGreaterThan(8)
})

test("all links of the footer have one colour", async ({ page, sharedShop }) => {
  await page.goto(await orderForPage(page, await sharedShop()))
  await page.goto(`${(await sharedShop()).url}/checkout/waiting`)
  const colours = await page
    .locator("footer a")
    .evaluateAll((all) => all.map((it) => getComputedStyle(it).color))
  expect(colours.length).toBeGreaterThan(1)
  expect(new Set(colours).size).toBe(1)
})

test("what a browser without the order is told stands apart from the sentence above", async ({
  page,
  sharedShop,
}) => {
  await page.goto(`${(await sharedShop()).url}/checkout/waiting`)
  const told = await boxOf(page.locator(".own-services"))
  expect(told.top - (await boxOf(page.locator(".lead"))).bottom).toBeGreaterThanOrEqual(8)
})

test("what a code takes off ends where the other amounts of the order do", async ({ page, sharedShop }) => {
  await page.goto(`${(await sharedShop()).url}/checkout/de-de`)
  await typePromoCode(page, "WELCOME10")
  await page.locator('button[value="apply-promo"]').click()
  const discount = page.locator(".applied > span").last()
  await expect(discount).toContainText("−")
  const price = page.locator(".summary .lines li:first-child > span:last-child")
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const ends = [await boxOf(discount), await boxOf(price)].map(({ right }) => right)
    expect(ends[0]).toBeCloseTo(ends[1] ?? 0, 0)
  }
})

test("the question about new login details keeps one distance between its sentence and its buttons", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  await buyForPage(page, shop)
  await page.goto(`${shop.url}/checkout/success?recreate`)
  const [lead, keep, replace] = await Promise.all(
    [".question .lead", ".question .main", ".question .destroys"].map((it) => boxOf(page.locator(it))),
  )
  expect([(keep?.top ?? 0) - (lead?.bottom ?? 0), (replace?.top ?? 0) - (keep?.bottom ?? 0)]).toEqual([
    20, 20,
  ])
})

test("a card that ends in a link ends as close to its text as to any other", async ({ page, sharedShop }) => {
  const shop = await sharedShop()
  await orderForPage(page, shop)
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${shop.url}/checkout/waiting?paid`)
    const card = await boxOf(page.locator(".card", { has: page.locator(" > .quiet:last-child") }))
    const link = page.locator(".card > .quiet:last-child").first()
    const text = await link.evaluate((it) => {
      const range = document.createRange()
      range.selectNodeContents(it)
      return range.getBoundingClientRect()
    })
    expect(card.bottom - text.bottom, `at ${width} px`).toBeLessThan(30)
    expect((await boxOf(link)).height).toBeGreaterThanOrEqual(44)
  }
})

test("unfolded payment methods of a renewal keep their distance from its button and are as wide as it", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  const email = uniqueEmail()
  await buyForPage(page, shop, { email })
  await page.context().clearCookies()
  await page.goto(signInLink(shop, email))
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${shop.url}/checkout/success?renew`)
    const folds = page.locator(".renewal details:has(.methods), .renewal .methods")
    await folds.evaluateAll((all) => {
      for (const fold of all) fold.setAttribute("open", "")
    })
    const forms = await page.locator(".renewal form:has(.methods)").all()
    expect(forms.length).toBe(2)
    for (const form of forms) {
      const methods = await boxOf(form.locator(".gateways"))
      const button = await boxOf(form.locator("button.main"))
      expect(button.top - methods.bottom).toBeGreaterThanOrEqual(12)
      expect(methods.right).toBeCloseTo(button.right, 0)
    }
  }
})

test("the link that renews a service begins where the service's name does", async ({ page, sharedShop }) => {
  const shop = await sharedShop()
  const email = uniqueEmail()
  for (let count = 0; count < 2; count++) await buyForPage(page, shop, { email })
  await page.goto(signInLink(shop, email))
  await page.goto(`${shop.url}/checkout/success?account`)
  const startOf = (text: string) =>
    page
      .locator(text)
      .first()
      .evaluate((it) => {
        const range = document.createRange()
        range.selectNodeContents(it)
        return range.getBoundingClientRect().left
      })
  expect(await startOf(".services a.quiet")).toBe(await startOf(".services a:not(.quiet)"))
})

test("a fold's name of two lines keeps its distance from the edge of its card", async ({
  page,
  sharedShop,
}) => {
  await buyForPage(page, await sharedShop())
  await page.setViewportSize({ width: 320, height: 740 })
  const summary = page.locator(".setup .fold summary")
  const card = await boxOf(page.locator(".setup"))
  const text = await summary.evaluate((it) => {
    const range = document.createRange()
    range.selectNodeContents(it)
    return range.getBoundingClientRect()
  })
  expect(text.height).toBeGreaterThan(40)
  expect(card.bottom - text.bottom).toBeGreaterThan(9)
})

test("the card below the sign-in code keeps its heading as far from its edge as the card above", async ({
  page,
  sharedShop,
}) => {
  await page.goto(`${(await sharedShop()).url}/checkout/?signin`)
  await page.locator("#sign-in-mail-email").fill(uniqueEmail())
  await page.locator('button[value="sign-in-mail"]').click()
  await page.locator("[name=code]").waitFor()
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const rooms = await page.locator(".card").evaluateAll((cards) =>
      cards.map((it) => {
        const heading = it.querySelector("h1, h2")?.getBoundingClientRect().top ?? 0
        return heading - it.getBoundingClientRect().top
      }),
    )
    expect(rooms, `at ${width} px`).toHaveLength(2)
    expect(Math.abs((rooms[0] ?? 0) - (rooms[1] ?? 0)), `at ${width} px`).toBeLessThan(2)
  }
})

test("what a chosen method adds stands close below its sentence", async ({ page, sharedShop }) => {
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  await page.locator('input[name="gateway"]').nth(1).check({ force: true })
  const chosen = page.locator(".gateway:has(input:checked)")
  const sentence = await boxOf(chosen.locator(".gateway-text"))
  const added = await boxOf(chosen.locator(".coins .note"))
  expect(added.top - sentence.bottom).toBeLessThan(13)
})

test("why a sign-in was refused stands apart from the field below", async ({ page, sharedShop }) => {
  await page.goto(`${(await sharedShop()).url}/checkout/?signin`)
  await signInByPassword(page, { email: uniqueEmail(), password: "wrong horse" })
  const reason = page.locator(".problems")
  await reason.waitFor()
  const field = await boxOf(page.locator(".problems ~ .field, .problems ~ * .field"))
  expect(field.top - (await boxOf(reason)).bottom).toBeGreaterThanOrEqual(16)
})

test("on a wide screen the chosen currency begins where the lines of the order do", async ({
  page,
  sharedShop,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  const chosen = await boxOf(page.locator(".currencies [aria-pressed=true]"))
  expect(chosen.left).toBe((await boxOf(page.locator(".summary .lines"))).left)
})

test("on a phone all that can be done with a reseller's line begins at one edge", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  const reseller = new Browser({ "user-agent": BROWSER_AGENT })
  await becomeReseller(reseller, { shop, email: uniqueEmail(), password: "correct horse battery staple" })
  await giveSession(page, shop, reseller)
  await page.goto(`${shop.url}/checkout/resellers/success`)
  await page.locator(".line-form .main").click()
  const line = page.locator(".made-lines li")
  await expect(async () => {
    await page.reload()
    // A line that is being made cannot be cancelled yet.
    await expect(line.locator("summary")).not.toHaveCount(0, { timeout: 500 })
  }).toPass()
  const cancel = await boxOf(line.locator("summary"))
  expect(cancel.left).toBe((await boxOf(line.locator(".line-acts button"))).left)
})

test("coins are two in a row at most, and the last of an odd number is as wide as the row", async ({
  page,
  sharedShop,
}) => {
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  await page.locator('input[name="gateway"][value="cryptomusgateway"]').check({ force: true })
  const coins = page.locator(".coin-tiles").first().locator(".coin")
  for (const width of [360, 768, 1000, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const { left, right } = await boxOf(page.locator(".coin-tiles"))
    const boxes = await coins.evaluateAll((all) =>
      all.map((it) => it.getBoundingClientRect().toJSON() as DOMRect),
    )
    expect(boxes, `at ${width} px`).toHaveLength(5)
    expect(new Set(boxes.map((it) => it.left)).size, `at ${width} px`).toBeLessThan(3)
    expect([boxes[4]?.left, boxes[4]?.right], `at ${width} px`).toEqual([left, right])
  }
})

test("a coin's network and time stand below its name, for every coin", async ({ page, sharedShop }) => {
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  await page.locator('input[name="gateway"][value="cryptomusgateway"]').check({ force: true })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const names = page.locator(".coin-tiles").first().locator(".coin span")
    const steps = await names.evaluateAll((all) =>
      all.map((it) => {
        const [name, note] = [it, it.querySelector("small")].map((part) => part?.getBoundingClientRect())
        return Math.round((note?.left ?? 0) - (name?.left ?? 0))
      }),
    )
    expect(steps, `at ${width} px`).toEqual([0, 0, 0, 0, 0])
  }
})

test("the form that corrects an order's email keeps its distance from the edge of its card", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  await orderForPage(page, shop)
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${shop.url}/checkout/waiting?correct-email`)
    const card = await boxOf(page.locator(".card", { has: page.locator(".order-email form") }))
    const { bottom } = await boxOf(page.locator(".order-email form > :last-child"))
    expect(card.bottom - bottom, `at ${width} px`).toBeGreaterThan(14)
    expect(
      card.bottom - (await boxOf(page.locator('button[value="email"]'))).bottom,
      `at ${width} px`,
    ).toBeGreaterThan(14)
  }
})

test("the way to support of a paused service is a button within its card", async ({ page, sharedShop }) => {
  const shop = await sharedShop()
  await buyForPage(page, shop)
  const order = await orderNumberOn(page)
  await runServerCommand(["admin", "services", "suspend", order, "--reason", "asked"], {
    DATA_DIR: shop.dataDir,
  })
  await page.reload()
  const card = await boxOf(page.locator(".card.place"))
  const support = await boxOf(page.locator(".card.place .support"))
  expect(support.height).toBeGreaterThanOrEqual(48)
  expect(card.bottom - support.bottom).toBeGreaterThan(10)
})

test("the link that corrects an order's email stands on a line of its own, below the address", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  // So short that the link would fit beside it.
  await orderForPage(page, shop, { email: "jo@example.test" })
  await page.goto(`${shop.url}/checkout/waiting`)
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const { text, link } = await page.locator(".order-email .note").evaluate((note) => {
      const text = document.createRange()
      text.selectNodeContents(note.firstChild as Node)
      return {
        text: text.getBoundingClientRect().toJSON() as DOMRect,
        link: note.querySelector("a")?.getBoundingClientRect().toJSON() as DOMRect,
      }
    })
    expect(link.left, `at ${width} px`).toBe(text.left)
    expect((link.top + link.bottom) / 2, `at ${width} px`).toBeGreaterThan(text.bottom)
  }
})

test("on the smallest phone the devices fit their card, each on one line, in any language", async ({
  page,
  sharedShop,
}) => {
  const shop = await sharedShop()
  await buyForPage(page, shop)
  await page.setViewportSize({ width: 320, height: 740 })
  const found: string[] = []
  for (const { code, prefix } of locales) {
    await page.goto(`${shop.url}/checkout${prefix}/success`)
    await page.evaluate(() => document.fonts.ready)
    const card = await boxOf(page.locator(".setup"))
    const tabs = await boxOf(page.locator(".setup .tabs"))
    if (tabs.right > card.right - 16) found.push(`${code}: ${tabs.right - card.right}`)
    if (tabs.height > 55) found.push(`${code}: ${tabs.height} px high`)
  }
  expect(found).toEqual([])
})

test("what folds and what switches shows that it can be pressed when pointed at, and its ring is round", async ({
  page,
  sharedShop,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  await page.emulateMedia({ reducedMotion: "reduce" })
  for (const [pressed, shown] of [
    [".summary .fold > summary", ".summary .fold > summary"],
    [".languages summary", ".languages summary"],
    [".extra", ".extra .switch"],
  ] as const) {
    const look = () =>
      page
        .locator(shown)
        .first()
        .evaluate((it) => {
          const { color, backgroundColor, textDecorationLine } = getComputedStyle(it)
          return [color, backgroundColor, textDecorationLine]
        })
    await page.mouse.move(0, 400)
    const before = await look()
    await page.locator(pressed).first().hover()
    expect(await look(), pressed).not.toEqual(before)
  }
  const radius = page.locator(".summary .fold > summary").first()
  await expect(radius).not.toHaveCSS("border-radius", "0px")
})

test("a shop's long name on a phone keeps the header's room above and below", async ({
  page,
  sharedShop,
}) => {
  await page.goto(`${(await sharedShop()).url}/checkout/`)
  await scriptRuns(page)
  await page.locator(".brand").evaluate((it) => {
    it.append(" and Streaming Company of Northern Europe")
  })
  const bar = await boxOf(page.locator(".top"))
  const name = await page.locator(".brand").evaluate((it) => {
    const text = document.createRange()
    text.selectNodeContents(it)
    return text.getBoundingClientRect().toJSON() as DOMRect
  })
  const button = await boxOf(page.locator(".top .account"))
  expect(button.top).toBeGreaterThan(name.bottom)
  expect(Math.min(name.top - bar.top, bar.bottom - button.bottom)).toBeGreaterThan(5)
})

test("the words of the console's charts are as large as notes and in their drawing, on a phone and on a desk", async ({
  page,
  browser,
  sharedShop,
}) => {
  const shop = await sharedShop()
  await buyForPage(page, shop)
  const desk = await operatorPage(browser, shop, { javaScriptEnabled: true })
  for (const width of [360, 768, 1040, 1280]) {
    await desk.setViewportSize({ width, height: 800 })
    const words = await desk.locator(".chart text:not(:empty)").evaluateAll((all) =>
      all.map((it) => {
        const chart = (it as SVGTextElement).ownerSVGElement?.getBoundingClientRect()
        const scale = (it as SVGTextElement).getScreenCTM()?.a ?? 0
        return {
          size: Number.parseFloat(getComputedStyle(it).fontSize) * scale,
          isCut: it.getBoundingClientRect().left < (chart?.left ?? 0),
        }
      }),
    )
    expect(words.length, `at ${width} px`).toBeGreaterThan(8)
    for (const { size } of words) expect(Math.abs(size - 14), `at ${width} px`).toBeLessThan(2.5)
    expect(words.filter(({ isCut }) => isCut)).toEqual([])
  }
  await desk.context().close()
})

test("the day at which a promotion ends stands on one line of the console's list", async ({
  browser,
  sharedShop,
}) => {
  const shop = await sharedShop()
  const desk = await operatorPage(browser, shop, { javaScriptEnabled: true })
  await desk.setViewportSize({ width: 1280, height: 800 })
  await desk.goto(`${shop.url}/checkout/admin/promotions`)
  const until = desk.locator("td", { hasText: /^until \d{4}-\d\d-\d\d$/ }).first()
  const lines = await until.evaluate((it) => {
    const text = document.createRange()
    text.selectNodeContents(it)
    return new Set([...text.getClientRects()].map(({ top }) => top)).size
  })
  expect(lines).toBe(1)
  await desk.context().close()
})

const boxOf = (element: Locator) => element.first().evaluate((it) => it.getBoundingClientRect())

test("without JavaScript the link that stops the reloads begins where the sentence about them does", async ({
  browser,
  sharedShop,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false, userAgent: BROWSER_AGENT, viewport: PHONE })
  const shop = await sharedShop()
  await orderForPage(page, shop)
  await page.goto(`${shop.url}/checkout/waiting`)
  const text = await page.locator(".assurances .quiet").evaluate((link) => {
    const range = document.createRange()
    range.selectNodeContents(link)
    return range.getBoundingClientRect()
  })
  const [sentence, next] = await page
    .locator(".assurance span")
    .evaluateAll((all) => all.map((it) => it.getBoundingClientRect()))
  expect(text.left).toBe(sentence?.left)
  expect((next?.top ?? 0) - text.bottom).toBeLessThan(20)
  await page.close()
})
