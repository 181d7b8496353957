import { inflateSync } from "node:zlib"
import { encode } from "fast-png"
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
import { pdfOf } from "./document-pdf.server"

test.each<[string, ShownDocument]>([
  ["an invoice", germanInvoice],
  ["a credit note", germanCreditNote],
  ["an invoice of a business that owes the tax", reverseCharge],
  ["an invoice with its tax in the accounting currency too", invoiceInPounds],
  ["a proforma", proforma],
])("the PDF of %s is tagged, and has a title, a language and its fonts", async (_, document) => {
  const text = await objectsOf(document)
  expect(text.startsWith("%PDF-1.7")).toBe(true)
  expect(text).toContain("/Lang (de-DE)")
  expect(text).toContain("/DisplayDocTitle true")
  expect(text).toContain("/Marked true")
  expect(text).toContain("/StructTreeRoot")
  expect(text.match(/\/FontFile[23]/g)?.length).toBeGreaterThanOrEqual(2)
  for (const type of ["H1", "H2", "Table", "TR", "TH", "TD"]) expect(text).toContain(`/S /${type}`)
  expect(pagesIn(text)).toBe(1)
})

test("the table of a PDF has a row for each line, and one head however many pages it has", async () => {
  const [line] = germanInvoice.lines
  const lines = Array.from(
    { length: 80 },
    () => ({ ...line, text: "Zeile" }) as (typeof germanInvoice.lines)[0],
  )
  const text = await objectsOf({ ...germanInvoice, lines })
  expect(text.match(/\/S \/TR\b/g)?.length).toBe(81)
  expect(text.match(/\/S \/TH\b/g)?.length).toBe(6)
  expect(pagesIn(text)).toBe(3)
})

test.each(["Łódź Őr", "Ελλάδα", "株式会社", "a\u0000b", "x".repeat(400)])(
  "a PDF is written for a buyer with the name %j",
  async (company) => {
    const text = await objectsOf({ ...reverseCharge, buyer: { ...reverseCharge.buyer, company } })
    expect(pagesIn(text)).toBe(1)
  },
)

const picture = encode({ width: 4, height: 2, data: new Uint8Array(32).fill(128) })

test.each([
  ["a PNG", Buffer.from(picture), 1],
  ["an SVG, which a PDF cannot hold", Buffer.from('<svg viewBox="0 0 4 1"/>'), 0],
  ["a PNG that breaks off", Buffer.from(picture.subarray(0, 50)), 0],
])("a shop whose logo is %s is named in its PDF", async (_, bytes, pictures) => {
  const text = await objectsOf(germanInvoice, logoOf(bytes, { withName: false, plate: true }))
  expect(text.match(/\/Subtype \/Image/g)?.length ?? 0).toBe(pictures)
  expect(text.match(/\/Alt \(Beispiel TV\)/g)?.length ?? 0).toBe(pictures)
  expect(pagesIn(text)).toBe(1)
})

test("what was paid has its heading above it, where the sums begin", async () => {
  const places = await placesIn(germanInvoice)
  const heading = places.findLast(({ type }) => type === "H2")
  const [label] = places.slice(heading ? places.indexOf(heading) + 1 : 0)
  expect(heading?.x).toBeGreaterThan(100)
  expect(heading?.x).toBe(label?.x)
})

/** Where the marked texts of the first page begin, by their tags. */
async function placesIn(document: ShownDocument): Promise<{ type: string; x: number }[]> {
  const text = await objectsOf(document)
  const [content = ""] = [...text.matchAll(/stream\r?\n([\s\S]*?)endstream/g)].flatMap(([, bytes = ""]) => {
    try {
      const page = inflateSync(Buffer.from(bytes, "latin1")).toString("latin1")
      return page.includes("BDC") ? [page] : []
    } catch {
      return []
    }
  })
  const marked = /\/(H1|H2|P) <<[^>]*>> BDC[\s\S]*?1 0 0 1 ([\d.]+) [\d.]+ Tm/g
  return [...content.matchAll(marked)].map(([, type = "", x]) => ({ type, x: Number(x) }))
}

/** A PDF as text. */
async function objectsOf(document: ShownDocument, logo = madridShop.logo): Promise<string> {
  return (await pdfOf(document, { ...madridShop, logo })).toString("latin1")
}

function pagesIn(text: string): number {
  return text.match(/\/Type \/Page\b/g)?.length ?? 0
}
