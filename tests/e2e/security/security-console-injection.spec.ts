import { expect } from "playwright/test"
import { type WrittenByOthers, writeTexts, writtenByOthers } from "../../fixtures/hostile-texts"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { type OperatorBrowser, operatorBrowser, runAdmin } from "../../fixtures/signed-in-operator"
import { unsentMails } from "../../fixtures/stored-data"
import { findViolation, tally } from "../../support/attacks/attack-inputs"
import { reachablePages } from "../../support/attacks/console-pages"
import { payloads, running } from "../../support/attacks/injection-payloads"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { attackTest } from "../attack-test"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"

let shop: TestServer
let marta: OperatorBrowser
test.beforeAll(async () => {
  shop = await startShop({ env: underAttack })
  marta = await operatorBrowser(shop, "owner", { "user-agent": BROWSER_AGENT })
})
test.afterAll(() => shop.stop())

async function buy(browser: Browser, email?: string): Promise<HtmlPage> {
  const review = await chooseAndPay(browser, { shop, ...(email !== undefined && { email }) })
  if (!review.url.pathname.endsWith("/creatingOrder")) return review
  return waitForAccess(await payAt(await goToGateway(review)))
}

/** What would run of a response; a file is saved, and never shown as a page. */
function runningOn(page: HtmlPage): string | null {
  const type = page.headers.get("content-type") ?? ""
  if (type.startsWith("text/html")) return running(page)
  const isSaved = page.headers.get("content-disposition")?.startsWith("attachment")
  return isSaved && /^(text\/csv|application\/octet-stream)/.test(type) ? null : `is shown as ${type}`
}

attackTest("HTML and SQL that buyers type runs on no page of the console", async (pick) => {
  const { count, conclude } = tally("texts of buyers on pages of the console")
  for (const payload of pick(payloads, 3)) {
    const text = encodeURIComponent(payload)
    const browser = new Browser({ "user-agent": `${BROWSER_AGENT} ${encodeURI(payload)}` })
    await browser.visit(`${shop.url}/checkout/?aff_id=${text}&promocode=${text}&email=${text}`)
    const paid = await buy(browser, `${payload.replaceAll(/\s/g, "")}@example.test`)
    if (paid.url.pathname.endsWith("/success"))
      await paid.submit({ having: "notes", fields: { notes: payload } })
    const searches = ["orders", "customers", "services"].map((list) => `/${list}?q=${text}&promotion=${text}`)
    const found = await Promise.all(searches.map((path) => marta.visit(path)))
    for (const page of found)
      count(`${page.url.pathname}?q=${payload}`, findViolation(page) ?? runningOn(page))
  }
  for (const [path, page] of await reachablePages(marta.browser, shop.url))
    count(path, findViolation(page) ?? runningOn(page))
  conclude()
})

/** The page of a payment that was returned: the list of open ones leads to it by a query. */
const settled = ["/unmatched-payments/returned"]

/** Shows which column a page has shown. */
const marked = (payload: string, column: WrittenByOthers) => `${payload} ${column.replace(".", "-")}-`

test("HTML in any text of buyers, gateways, panel and mail server runs on no page of the console", async () => {
  const { count, conclude } = tally("texts of others on pages of the console")
  await buy(new Browser())
  await buy(new Browser())
  await expect.poll(() => unsentMails(shop.dataDir), { timeout: 30_000 }).toBe(0)
  const shown: string[] = []
  for (const payload of payloads.slice(0, 5)) {
    writeTexts(shop, (column) => marked(payload, column))
    for (const [path, page] of await reachablePages(marta.browser, shop.url, settled)) {
      count(`${path} ${payload}`, findViolation(page) ?? runningOn(page))
      shown.push(page.text)
    }
  }
  const text = shown.join(" ")
  expect(writtenByOthers.filter((column) => !text.includes(marked("", column).trim()))).toEqual([])
  conclude()
})

const formulas = [
  "=cmd|' /C calc'!A0",
  "+1",
  "-1+1",
  "@SUM(1)",
  "\t=1",
  "\r\n=1",
  "\u200b=1",
  "＝1",
  '",=1,"',
]

/** Cells of a CSV file that a spreadsheet would run. */
function formulasIn(file: string): string | null {
  const cells = [...file.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^,\r\n]*))/g)]
  const text = cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "")
  const bad = text.find((it) => /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u.test(it) && !/^-?[\d.]+$/.test(it))
  return bad === undefined ? null : `the cell ${JSON.stringify(bad)}`
}

test("the check of CSV files finds formulas, also in quoted cells", () => {
  for (const file of ["a,=1\r\n", 'a,"=1,2"\r\n', '"x""y",+1\r\n', '"\t=1"\r\n'])
    expect(formulasIn(file)).not.toBeNull()
  expect(formulasIn('\uFEFFnumber,total\r\nX,-5.00\r\n"\'=1",2\r\n')).toBeNull()
})

attackTest("no export of the console has a cell that a spreadsheet runs", async (pick) => {
  const { count, conclude } = tally("formulas in exports")
  await buy(new Browser())
  for (const formula of pick(formulas, 3)) {
    writeTexts(shop, () => formula)
    const orders = await marta.visit("/orders")
    const all = await orders.submit({
      button: { text: "Download" },
      having: "reason",
      fields: { reason: "tax" },
    })
    expect([all.status, all.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    count(`orders.csv ${formula}`, formulasIn(all.body))
    const customers = await marta.visit("/customers")
    const everyone = await customers.submit({
      button: { text: "Download" },
      having: "reason",
      fields: { reason: "newsletter" },
    })
    expect([everyone.status, everyone.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    count(`customers.csv ${formula}`, formulasIn(everyone.body))
    const result = await marta.visit("/bulk/bulk/result.csv")
    expect(result.body).toContain("skipped,gone")
    count(`bulk.csv ${formula}`, formulasIn(result.body))
    for (const [, number] of orders.body.matchAll(/admin\/orders\/([0-9A-Z]{10})"/g)) {
      const timeline = await marta.visit(`/orders/${number}/timeline.csv`)
      count(`timeline.csv ${formula}`, formulasIn(timeline.body))
    }
  }
  conclude()
})

/** Sequences by which a text would clear the screen, change colours, or turn the writing around. */
const escapes = ["\u001b[2J", "\u009b31m", "\u001b]0;x\u0007", "\r", "\b\b\b", "\u202e", "\u2028"]
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

attackTest("no command of the admin CLI writes an escape sequence that others have typed", async (pick) => {
  const { count, conclude } = tally("escape sequences in the terminal")
  await buy(new Browser())
  writeTexts(shop, () => `a${escapes.join("")}`)
  const [number = ""] = /[0-9A-Z]{10}/.exec(await runAdmin(shop, "orders", "list", "--limit", "1")) ?? []
  const commands = [
    `orders show ${number}`,
    "orders list",
    `services show ${number}`,
    "services list",
    "customers list",
    "customers search aaa",
    "mail list",
    "jobs list",
    "approvals list",
    "unmatched-payments list",
    "unmatched-payments list --handled",
    "gateways rejected-callbacks",
    "bulk list",
    "bulk show bulk",
    "bulk result bulk",
    "audit list",
    "blocks list",
    "operators list",
    "webhooks list",
    "webhooks deliveries whe_x",
    `operators sessions ${marta.email}`,
  ]
  for (const command of pick(commands, 3)) {
    for (const format of pick([[], ["--json"]], 2)) {
      const output = await runAdmin(shop, ...command.split(" "), ...format)
      const [shown] = INVISIBLE.exec(output.replaceAll(/[\n\t]/g, "")) ?? []
      count(`${command} ${format}`, shown === undefined ? null : `writes ${JSON.stringify(shown)}`)
    }
  }
  conclude()
})
