import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { operatorRoles } from "~/domain/operators/operator"
import { customerMessages } from "~/domain/shop/mail"
import { catalogueFixture } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  actOnPage,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
  keyOfOwnSession,
} from "../../../../tests/fixtures/console"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const text = async (response: Promise<Response>) => (await response).text()
const page = (path: string, who = owner) => text(who.request({ path: `/admin/brand${path}` }))
const version = async () => (await shop.billing.brand.latest()).version

/** What the form of a part posts, with other values. */
async function formOf(part: string, values: Record<string, string>): Promise<Record<string, string>> {
  const html = await page(`/${part}`)
  const typed = [...html.matchAll(/<input id="([^"]+)" name="\1"[^>]*? value="([^"]*)"/g)]
  const ticked = [...html.matchAll(/<input id="([^"]+)" type="checkbox" name="\1" checked="" value="on"/g)]
  return {
    ...hiddenFieldsIn(html, "edit-brand"),
    ...Object.fromEntries(typed.map(([, name = "", value = ""]) => [name, value])),
    ...Object.fromEntries(ticked.map(([, name = ""]) => [name, "on"])),
    reason: "a new look",
    ...values,
  }
}

const save = async (part: string, values: Record<string, string>) =>
  owner.request({ path: `/admin/brand/${part}`, form: await formOf(part, values) })

const preview = async (part: string, values: Record<string, string>) => {
  const response = await save(part, { ...values, preview: "on" })
  return (response.headers.get("location") ?? "").replace("/checkout", "")
}

test("the words of a message are found by its name, as in the list of mail", async () => {
  expect(await page("")).toContain("Words of the message “Order not paid yet”")
})

test("what an owner sets holds at once, is a version with its reason, and is in the audit log", async () => {
  expect(await page("")).toContain("everything is as in the shop file")
  const values = {
    "brand.name": "Northlight",
    "brand.colours.light": "#0A7A5A",
    "brand.title.de-de": "Kasse",
  }
  const response = await save("brand", values)
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/checkout/admin/brand/brand?done=edit-brand",
  ])
  const { brand, brandVersion } = shop.services.shop
  expect([brandVersion, brand.name, brand.title, brand.colours]).toEqual([
    1,
    "Northlight",
    { "de-de": "Kasse" },
    { light: "#0a7a5a", dark: null },
  ])
  // The guarantee was not touched: the shop's own text holds, and not none.
  expect(brand.guarantee).toEqual({})
  expect(await page("/versions/1")).toContain("brand.name: – → Northlight")
  const entries = await shop.billing.auditLog.page({ after: 0, limit: 50 })
  expect(entries.at(-1)).toMatchObject({ action: "edit-brand", outcome: "done", reason: "a new look" })
  expect(await text(owner.request({ path: "/admin/settings" }))).toContain("Console, version 1")
})

test("links, methods and words of messages are set by their own forms, and leave the other sections to the shop file", async () => {
  await save("links", {
    "legal.seller": "Northlight Ltd",
    "links.support": "mailto:help@northlight.example",
    "legal.terms.de-de": "https://northlight.example/agb",
  })
  await save("methods", {
    "methods.coinbase.name.de-de": "Krypto",
    "methods.coinbase.place": "1",
    "methods.coinbase.minutes.from": "1",
    "methods.coinbase.minutes.to": "3",
  })
  await save("mail-receipt", { "mail.messages.receipt.de-de.subject": "Es geht los" })
  const { legal, links, methods, mail, brand } = shop.services.shop
  expect([legal.seller, mail.seller, legal.terms]).toEqual([
    "Northlight Ltd",
    "Northlight Ltd",
    { "de-de": "https://northlight.example/agb" },
  ])
  expect(links.support).toBe("mailto:help@northlight.example")
  expect(methods).toMatchObject({
    coinbase: { name: { "de-de": "Krypto" }, place: 1, minutes: { from: 1, to: 3 } },
  })
  expect(mail.messages).toEqual({ receipt: { "de-de": { subject: "Es geht los" } } })
  expect(brand.name).toBe("Test")
  const overview = await page("")
  // Links, methods, and the words of each message; name and colours, logo, the seller on invoices, apps and the steps of three devices are the file's.
  expect(overview.match(/Console, version 3/g)).toHaveLength(2 + customerMessages.length)
  expect(overview.match(/Shop file</g)).toHaveLength(7)
})

test("apps and set-up steps are lists, whose rows are added, changed and emptied, and the service page has them at once", async () => {
  await save("apps", {
    "apps.0.name": "Northlight TV",
    "apps.0.store": "https://northlight.example/app",
    "apps.0.open": "northlight://play?url={url}",
    "apps.0.devices.other": "on",
  })
  await save("apps", {
    "apps.0.name": "",
    "apps.0.store": "",
    "apps.0.open": "",
    "apps.1.name": "VLC",
    "apps.1.store": "https://www.videolan.org/vlc/",
    "apps.1.devices.ios": "on",
  })
  await save("setup-tv", { "setup.tv.0.en-en": "Switch it on.", "setup.tv.2.de-de": "Anmelden." })
  expect(await version()).toBe(3)
  const { apps, setup } = shop.services.shop
  expect(apps).toEqual([
    { name: "VLC", devices: ["ios"], store: "https://www.videolan.org/vlc/", open: null },
  ])
  expect(setup).toEqual({ tv: [{ "en-en": "Switch it on." }, { "de-de": "Anmelden." }] })
  expect(await page("/versions/2")).toContain("apps.0.name: Northlight TV → VLC")
})

/** What a part refuses, and what is said beside the field. */
const refused: readonly [string, string, string, string, string][] = [
  [
    "a link that runs a script",
    "links",
    "links.support",
    "javascript:alert(1)",
    "must be a complete address",
  ],
  ["a link with data", "links", "links.guides", "data:text/html,x", "must be a complete address"],
  [
    "terms that run a script",
    "links",
    "legal.terms.de-de",
    "javascript:alert(1)",
    "must be a complete address",
  ],
  ["a seller of two lines", "links", "legal.seller", "One\nTwo", "one line"],
  ["a colour by name", "brand", "brand.colours.light", "navy", "must be a colour"],
  ["a colour that is none", "brand", "brand.colours.dark", "#fff;}body{display:none", "must be a colour"],
  ["a huge colour", "brand", "brand.colours.light", `#${"f".repeat(10_000)}`, "must be a colour"],
  ["a name that is too long", "brand", "brand.name", "x".repeat(41), "must have at most 40 characters"],
  [
    "an address of the seller that is too long",
    "documents",
    "documents.seller.address.0",
    "x".repeat(81),
    "must have at most 80 characters",
  ],
  [
    "an email of the seller that is none",
    "documents",
    "documents.seller.email",
    "us",
    "must be an e-mail address",
  ],
  ["a place that is no number", "methods", "methods.coinbase.place", "first", "must be a whole number"],
  ["a place of zero", "methods", "methods.coinbase.place", "0", "must be at least 1"],
  ["a place with a decimal comma", "methods", "methods.coinbase.place", "2,5", "must be a whole number"],
  ["a time without its end", "methods", "methods.coinbase.minutes.from", "3", "must not be empty"],
  [
    "an app's link that runs a script",
    "apps",
    "apps.0.open",
    "javascript:alert(1)",
    "must be a link that opens an app",
  ],
  [
    "a step that is too long",
    "setup-tv",
    "setup.tv.0.nl-nl",
    "x".repeat(161),
    "must have at most 160 characters",
  ],
  [
    "a sentence that is too long",
    "methods",
    "methods.offshore.note.es-es",
    "x".repeat(121),
    "must have at most 120 characters",
  ],
  [
    "a subject with another field",
    "mail-receipt",
    "mail.messages.receipt.en-en.subject",
    "a\r\nBcc: b@c.d",
    "one line",
  ],
  [
    "a paragraph that is too long",
    "mail-receipt",
    "mail.messages.receipt.en-en.paragraph",
    "x".repeat(601),
    "must have at most 600 characters",
  ],
]

describe.each(refused)("%s", (_, part, field, value, message) => {
  test.each(["save", "preview"])(
    "is refused beside its field by %s, kept in the form and not stored",
    async (how) => {
      const response = await save(part, { [field]: value, ...(how === "preview" && { preview: "on" }) })
      const html = await response.text()
      expect([response.status, await version()]).toEqual([422, 0])
      const beside = html.slice(
        html.indexOf(`id="${field}"`),
        html.indexOf(`id="${field}"`) + value.length + 900,
      )
      expect(beside).toContain('aria-invalid="true"')
      expect(beside).toContain(message)
      if (!/[\r\n]/.test(value)) expect(beside).toContain(value.replaceAll("&", "&amp;").slice(0, 30))
    },
  )
})

test("an app for no kind of device is refused beside the first of them", async () => {
  const response = await save("apps", {
    "apps.0.name": "VLC",
    "apps.0.store": "https://www.videolan.org/vlc/",
  })
  const html = await response.text()
  expect([response.status, await version()]).toEqual([422, 0])
  expect(html).toMatch(/id="apps\.0\.devices\.ios"[^>]*aria-invalid="true"/)
  expect(html).toContain("must be for one kind of device at least")
})

test("the seller on invoices is set with lines of an address, of which empty ones are none", async () => {
  await save("documents", {
    "documents.seller.name": "Northlight GmbH",
    "documents.seller.address.0": "Hauptstr. 1",
    "documents.seller.address.2": "10115 Berlin",
  })
  expect(shop.services.shop.documents).toMatchObject({
    seller: { name: "Northlight GmbH", address: ["Hauptstr. 1", "10115 Berlin"], email: null },
    prefixes: { "credit-note": "CN-" },
  })
})

test("a name that is taken away becomes the product's, as in the shop file", async () => {
  await save("brand", { "brand.name": "" })
  expect(shop.services.shop.brand.name).toBe("Boxoffice")
})

const SCRIPT = "<script>alert(1)</script>"

/** Every field that takes free text, with markup in it. */
const texts: readonly [string, string][] = [
  ["brand", "brand.name"],
  ["brand", "brand.title.en-en"],
  ["brand", "brand.guarantee.en-en"],
  ["links", "legal.seller"],
  ["methods", "methods.offshore.name.en-en"],
  ["methods", "methods.offshore.note.en-en"],
  ["methods", "methods.offshore.statement"],
  ["mail-receipt", "mail.messages.receipt.en-en.subject"],
  ["mail-receipt", "mail.messages.receipt.en-en.paragraph"],
]

test.each(texts)(
  "markup in %s %s is text on every page of the console and in the preview",
  async (part, field) => {
    const address = await preview(part, { [field]: SCRIPT })
    expect((await save(part, { [field]: SCRIPT })).status).toBe(303)
    const pages = [
      "/admin/brand",
      `/admin/brand/${part}`,
      "/admin/brand/versions/1",
      "/admin/settings",
      address,
    ]
    for (const path of [...pages, `${address}?view=mail`]) {
      const html = await text(owner.request({ path }))
      expect(html).not.toContain(SCRIPT)
    }
    expect(await page("/versions/1")).toContain("&lt;script&gt;")
  },
)

test("a colour that is hard to read is taken, and the form says what pages show in its place", async () => {
  await save("brand", { "brand.colours.light": "#ffd500" })
  expect(shop.services.shop.brand.colours.light).toBe("#ffd500")
  const html = await page("/brand")
  expect(html).toMatch(/id="brand\.colours\.light-note">Contrast 1\.4 : 1, below the 4\.5 : 1/)
})

test.each([
  ["en-en", "100"],
  ["en-gb", "100"],
  ["de-de", "Krypto-Börse"],
  ["es-es", "100"],
  ["nl-nl", "100"],
  ["pt-pt", "100"],
])(
  "the preview shows the checkout and a message in %s with what was typed, and nothing is saved",
  async (locale) => {
    const address = await preview("methods", { [`methods.coinbase.name.${locale}`]: "Krypto-Börse" })
    const response = await owner.request({ path: `${address}?locale=${locale}` })
    const html = await response.text()
    expect(response.headers.getSetCookie()).toEqual([])
    expect(html).toContain("Krypto-Börse")
    expect(html).toContain(`<html lang="${locale === "en-en" ? "en" : locale.slice(0, 2)}`)
    expect(html).not.toMatch(/<form[^>]* action=/)
    expect(await text(owner.request({ path: `${address}?locale=${locale}&view=mail` }))).toContain(
      "mail-text",
    )
    expect([await version(), shop.services.shop.brandVersion]).toEqual([0, 0])
  },
)

test("the preview of a message has its words, and its form comes back filled in", async () => {
  const address = await preview("mail-receipt", { "mail.messages.receipt.de-de.subject": "Es geht los" })
  expect(await text(owner.request({ path: `${address}?locale=de-de` }))).toContain("Es geht los")
  const draft = address.split("/").at(-1) ?? ""
  expect(await page(`/mail-receipt?draft=${draft}`)).toContain('value="Es geht los"')
  expect(await page(`/brand?draft=${draft}`)).not.toContain("Es geht los")
})

test.each(["none", "../x", "__proto__"])("there is no preview of the draft %j", async (draft) => {
  for (const kind of ["preview", "logo"])
    expect((await owner.request({ path: `/admin/brand/${kind}/${draft}` })).status).toBe(404)
})

test.each(["none", "mail-none", "mail-operator-refund", "__proto__", "constructor"])(
  "there is no part %s",
  async (part) => {
    expect((await owner.request({ path: `/admin/brand/${part}` })).status).toBe(404)
  },
)

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path d="M0 0h300v100z"/></svg>'

async function upload(content: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(
    await formOf("logo", { "brand.logo.withName": "on", "brand.logo.plate": "on", ...fields }),
  ))
    form.append(name, value)
  if (content.length > 0) form.append("file", new File([content], "logo.svg"))
  return owner.request({ path: "/admin/brand/logo", form })
}

test("a picture becomes the logo, is in the versions without its bytes, and is taken away again", async () => {
  expect((await upload(SVG)).status).toBe(303)
  expect(shop.services.shop.logo).toMatchObject({
    type: "image/svg+xml",
    width: 96,
    height: 32,
    withName: true,
  })
  expect(shop.services.shop.logo?.path).toMatch(/^\/logo-[0-9a-f]{12}\.svg$/)
  const html = await page("/versions/1")
  expect(html).toContain(`brand.logo.data: – → SVG 300×100, ${SVG.length} bytes`)
  expect((await upload("", { "brand.logo.withName": "" })).status).toBe(303)
  expect(shop.services.shop.logo).toMatchObject({ width: 96, withName: false })
  expect(shop.services.shop.logo?.isForDark).toBe(false)
  expect((await upload("", { "brand.logo.plate": "" })).status).toBe(303)
  expect(shop.services.shop.logo).toMatchObject({ withName: true, isForDark: true })
  // Other values of the brand keep it.
  await save("brand", { "brand.name": "Northlight" })
  expect(shop.services.shop.logo).not.toBeNull()
  expect((await upload("", { none: "on" })).status).toBe(303)
  expect(shop.services.shop.logo).toBeNull()
})

test("the preview shows a picture that is not saved, and saving after it does not need the file again", async () => {
  const response = await upload(SVG, { preview: "on" })
  const address = (response.headers.get("location") ?? "").replace("/checkout", "")
  const draft = address.split("/").at(-1) ?? ""
  expect(await text(owner.request({ path: address }))).toContain(`src="/checkout/admin/brand/logo/${draft}"`)
  const picture = await owner.request({ path: `/admin/brand/logo/${draft}` })
  expect([picture.headers.get("content-type"), await picture.text()]).toEqual(["image/svg+xml", SVG])
  expect([await version(), shop.services.shop.logo]).toEqual([0, null])
  expect((await upload("", { draft })).status).toBe(303)
  expect(shop.services.shop.logo?.bytes.toString()).toBe(SVG)
})

test.each([
  ["no picture", "hello", "must be a PNG or an SVG"],
  ["an SVG without a viewBox", "<svg></svg>", "must be a PNG or an SVG"],
  [
    "an SVG with a script",
    SVG.replace("<path", "<script>alert(1)</script><path"),
    "must not contain scripts",
  ],
  ["an SVG with an event", SVG.replace("<path", '<path onload="alert(1)"'), "must not contain scripts"],
  ["an SVG with a page in it", SVG.replace("<path", "<foreignObject/><path"), "must not contain scripts"],
  ["an SVG with entities", `<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`, "must not contain scripts"],
  ["a picture that is too large", `${SVG}${" ".repeat(60_000)}`, "must not be larger than 60 kB"],
])("%s is refused as a logo", async (_, content, message) => {
  const response = await upload(content)
  expect([response.status, await version()]).toEqual([422, 0])
  expect(await response.text()).toContain(message)
})

test("an earlier version is taken back, and reset gives the shop file's values, both as new versions", async () => {
  await save("brand", { "brand.name": "One" })
  await save("brand", { "brand.name": "Two" })
  expect(await page("/versions/2")).toContain("brand.name: One → Two")
  expect(await page("/versions/2?with=0")).toContain("brand: as in the shop file → set here")
  expect((await owner.request({ path: "/admin/brand/versions/2?with=9" })).status).toBe(422)
  const taken = await actOnPage(owner, "/admin/brand/versions/1", {
    form: { action: "take-back-brand", reason: "too early" },
  })
  expect([taken.status, shop.services.shop.brand.name, await version()]).toEqual([303, "One", 3])
  const reset = await actOnPage(owner, "/admin/brand", { form: { action: "reset-brand", reason: "enough" } })
  expect([reset.status, shop.services.shop.brand.name, await version()]).toEqual([303, "Test", 4])
  expect(await page("")).toContain("back to the shop file")
})

test("without a reason, with a form of before another change, and twice nothing is saved", async () => {
  const form = await formOf("brand", { "brand.name": "One" })
  const post = (fields: Record<string, string>) => owner.request({ path: "/admin/brand/brand", form: fields })
  expect(await text(post({ ...form, reason: " " }))).toContain("Write down why.")
  expect([(await post({ ...form, key: "x.y" })).status, await version()]).toEqual([422, 0])
  expect((await post({ ...form, key: "x.y", preview: "on" })).status).toBe(422)
  expect((await post(form)).status).toBe(303)
  expect((await post(form)).headers.get("location")).toContain("?sent-before")
  const former = await formOf("brand", { "brand.name": "Two" })
  const old = await post({ ...former, seen: "0" })
  expect([old.status, await version()]).toEqual([422, 1])
  expect(await old.text()).toContain("It has changed since you opened the page")
})

const pages = ["", "/brand", "/logo", "/documents", "/apps", "/setup-tv", "/mail-receipt", "/versions/1"]

test("an owner reads and may change every part", async () => {
  await save("brand", { "brand.name": "One" })
  for (const path of pages) expect(await page(path)).toContain("</html>")
  for (const part of ["/brand", "/logo", "/apps", "/setup-tv", "/mail-receipt"])
    expect(await page(part)).toContain('value="edit-brand"')
})

describe.each(operatorRoles.filter((role) => role !== "owner"))("an operator whose role is %s", (role) => {
  test("reads brand and texts, has no form, and changes nothing with one of their own making", async () => {
    await save("brand", { "brand.name": "One" })
    const who = await enrolled(shop, role)
    for (const path of pages) expect(await page(path, who)).not.toContain('name="reason"')
    const key = await keyOfOwnSession(who)
    const fields = { key, seen: "1", reason: "x", "brand.name": "Mine" }
    const attempts: [string, Record<string, string>][] = [
      ["/brand", fields],
      ["/brand", { ...fields, preview: "on" }],
      ["", fields],
      ["/versions/1", fields],
    ]
    for (const [path, form] of attempts)
      expect((await who.request({ path: `/admin/brand${path}`, form })).status).toBe(422)
    expect([await version(), shop.services.shop.brand.name]).toEqual([1, "One"])
  })
})

test("a shop with an external billing sets its brand likewise", async () => {
  const external = await openStorefront(catalogueFixture)
  const mirrored = await openTestShop({ openBilling: async () => external.storefront })
  const who = await enrolled(mirrored, "owner")
  const form = { action: "reset-brand", reason: "x" }
  await mirrored.billing.brand.save(
    { brand: { name: "Northlight" } },
    { at: 1, author: who.email, reason: null, how: "edit", takenFrom: null, seenVersion: 0 },
  )
  expect((await actOnPage(who, "/admin/brand", { form })).status).toBe(303)
  expect((await mirrored.billing.brand.latest()).version).toBe(2)
  await external.close()
})
