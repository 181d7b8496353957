import { expect, test } from "vitest"
import { logoOf } from "~/config/logo-file.server"
import type { ShownDocument } from "~/domain/accounting/tax-document"
import {
  germanCreditNote,
  germanInvoice,
  invoiceInPounds,
  madridShop,
  proforma,
  reverseCharge,
} from "../../tests/fixtures/printed-documents"
import { attribute, elements, readHtml, textOf } from "../../tests/support/html/html-tree"
import { type DocumentPage, documentPage } from "./document-page.server"
import { documentView } from "./document-view"

const page: DocumentPage = {
  nonce: "n0nce",
  back: "/checkout/success",
  files: [
    { form: "pdf", name: "R2026-000017.pdf" },
    { form: "xml", name: "R2026-000017.xml" },
  ],
}

const treeOf = (document: ShownDocument, logo = madridShop.logo) =>
  readHtml(documentPage(document, { ...madridShop, logo }, page))

const named = (tree: ReturnType<typeof treeOf>, tag: string) =>
  elements(tree, ({ tagName }) => tagName === tag)

test.each<[string, ShownDocument]>([
  ["an invoice", germanInvoice],
  ["a credit note", germanCreditNote],
  ["an invoice of a business that owes the tax", reverseCharge],
  ["an invoice with its tax in the accounting currency too", invoiceInPounds],
  ["a proforma", proforma],
])("the page of %s says all that its PDF does", (_, document) => {
  const tree = treeOf(document)
  const text = textOf(tree)
  const view = documentView(document, madridShop)
  const { title, facts, seller, buyer, notes, rows, totals, remarks, payments } = view
  const said = [
    title,
    ...notes,
    ...remarks,
    ...seller.lines,
    ...buyer.lines,
    ...rows.flatMap((row) => Object.values(row)),
    ...[...facts, ...totals, ...payments].flatMap((it) => [it.label, it.text]),
  ]
  // The page breaks no line inside a figure, which is a space to a reader.
  for (const words of said) expect(text).toContain(words.replace(/\s+/g, " "))
})

test("a screen reader finds a heading, a table with named columns and rows, and the language", () => {
  const tree = treeOf(germanInvoice)
  expect(named(tree, "html").map((it) => attribute(it, "lang"))).toEqual(["de-DE"])
  expect(named(tree, "h1").map(textOf)).toEqual(["Rechnung R2026-000017"])
  expect(named(tree, "caption")).toHaveLength(1)
  const scopes = named(tree, "th").map((it) => attribute(it, "scope"))
  expect(scopes).toEqual([...Array(6).fill("col"), ...germanInvoice.lines.map(() => "row")])
})

test("the page leads back, to its PDF and to its XML, and runs no script", () => {
  const tree = treeOf(germanInvoice)
  const links = named(tree, "a").map((it) => [attribute(it, "href"), textOf(it)])
  expect(links).toEqual([
    ["/checkout/success", "Zurück"],
    ["R2026-000017.pdf", "Als PDF speichern"],
    ["R2026-000017.xml", "Als XML speichern"],
  ])
  expect(named(tree, "script")).toEqual([])
  expect(named(tree, "style").map((it) => attribute(it, "nonce"))).toEqual(["n0nce"])
})

test("the browser's tab has the shop's icon, and no other is looked for", () => {
  const icons = named(treeOf(germanInvoice), "link").filter((it) => attribute(it, "rel") === "icon")
  expect(icons.map((it) => attribute(it, "href"))).toEqual(["/checkout/favicon.svg"])
})

test("the shop is named by its logo, by its name, or by both", () => {
  const svg = Buffer.from('<svg viewBox="0 0 4 1"/>')
  const shown = (logo = madridShop.logo) => {
    const tree = treeOf(germanInvoice, logo)
    return [named(tree, "img").map((it) => attribute(it, "alt")), textOf(named(tree, "header")[0] ?? tree)]
  }
  expect(shown()).toEqual([[], expect.stringContaining("Beispiel TV")])
  expect(shown(logoOf(svg, { withName: true, plate: true }))).toEqual([
    [""],
    expect.stringContaining("Beispiel TV"),
  ])
  expect(shown(logoOf(svg, { withName: false, plate: true }))).toEqual([
    ["Beispiel TV"],
    expect.not.stringContaining("Beispiel TV"),
  ])
})

test("names and lines with markup in them are text", () => {
  const company = `<script>alert("x")</script>`
  const tree = treeOf({ ...reverseCharge, buyer: { ...reverseCharge.buyer, company } })
  expect(named(tree, "script")).toEqual([])
  expect(textOf(tree)).toContain(company)
})
