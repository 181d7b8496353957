import { createRequire } from "node:module"
import type { IssuedDocument, TaxDocument } from "~/domain/tax-document"
import {
  type DocumentRow,
  type DocumentView,
  documentView,
  type LabelledText,
  sellerName,
} from "./document-view"

type Pdf = PDFKit.PDFDocument

const MARGIN = 56
const SMALL = 9
const NORMAL = 10
const GAP = 14

/** Columns of the table from left to right, with their shares of its width. */
const columns: readonly (readonly [keyof DocumentRow, number])[] = [
  ["text", 0.36],
  ["quantity", 0.11],
  ["rate", 0.13],
  ["net", 0.14],
  ["tax", 0.12],
  ["gross", 0.14],
]

const { resolve } = createRequire(import.meta.url)

/** The shop's typeface, in the two files that hold the letters of the six languages and of names from their neighbours. */
const fonts = {
  regular: "@fontsource/lato/files/lato-latin-400-normal.woff",
  bold: "@fontsource/lato/files/lato-latin-700-normal.woff",
  regularMore: "@fontsource/lato/files/lato-latin-ext-400-normal.woff",
  boldMore: "@fontsource/lato/files/lato-latin-ext-700-normal.woff",
} as const

/** Letters that are only in the file of more letters, and runs of them and of others. */
const MORE = /^[ĄąĆćĘęŁłŃńŚśŠšŸŹźŻżŽž]/
const RUNS = /[ĄąĆćĘęŁłŃńŚśŠšŸŹźŻżŽž]+|[^ĄąĆćĘęŁłŃńŚśŠšŸŹźŻżŽž]+/g
const OF_BOTH = /[ıŒœ]/

/**
 * A document as a tagged PDF of A4 pages, with its fonts, language and title. `timeZone`: the shop's. The library is loaded with
 * the first one: a server that writes none does not carry it.
 */
export async function pdfOf(document: TaxDocument | IssuedDocument, timeZone: string): Promise<Buffer> {
  const { default: PDFDocument } = await import("pdfkit")
  const view = documentView(document, timeZone)
  const pdf = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: "1.7",
    tagged: true,
    lang: view.lang,
    displayTitle: true,
    info: { Title: view.title, Author: sellerName(document), CreationDate: new Date(document.issuedAt) },
  })
  for (const [name, file] of Object.entries(fonts)) pdf.registerFont(name, resolve(file))
  const chunks: Buffer[] = []
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<Buffer>((done, failed) => {
    pdf.on("end", () => done(Buffer.concat(chunks)))
    pdf.on("error", failed)
  })
  writeDocument(pdf, view)
  pdf.end()
  return ended
}

function writeDocument(pdf: Pdf, view: DocumentView): void {
  const root = pdf.struct("Document")
  pdf.addStructure(root)
  const add = (type: string, write: () => void) => root.add(pdf.struct(type, {}, write))
  add("H1", () => written(pdf, view.title, { bold: true, size: 20 }))
  pdf.y += GAP
  for (const note of view.notes) add("P", () => written(pdf, note, { bold: true }))
  if (view.notes.length > 0) pdf.y += GAP
  for (const fact of view.facts) add("P", () => written(pdf, `${fact.label}: ${fact.text}`))
  pdf.y += GAP
  writeParties(pdf, root, view)
  add("H2", () => written(pdf, view.caption, { bold: true, size: 12 }))
  pdf.y += 4
  writeTable(pdf, root, view)
  pdf.y += GAP
  for (const [at, total] of view.totals.entries())
    add("P", () => pair(pdf, total, at === view.totals.length - 1))
  if (view.payments.length > 0) {
    pdf.y += GAP
    keepRoom(pdf, 40)
    add("H2", () => written(pdf, view.paymentsTitle, { bold: true, size: 12 }))
    for (const payment of view.payments) add("P", () => pair(pdf, payment, false))
  }
  root.end()
  numberPages(pdf, view)
}

/** Seller and buyer side by side. */
function writeParties(pdf: Pdf, root: PDFKit.PDFStructureElement, { seller, buyer }: DocumentView): void {
  const top = pdf.y
  const width = (bodyWidth(pdf) - GAP) / 2
  const ends = [seller, buyer].map(({ role, lines }, at) => {
    const x = MARGIN + at * (width + GAP)
    pdf.y = top
    root.add(pdf.struct("H2", {}, () => written(pdf, role, { bold: true, size: 12, x, width })))
    for (const line of lines) root.add(pdf.struct("P", {}, () => written(pdf, line, { x, width })))
    return pdf.y
  })
  pdf.y = Math.max(...ends) + GAP
}

/** Rows go to the next page whole, under the head again, which only the first time is of the table's structure. */
function writeTable(pdf: Pdf, root: PDFKit.PDFStructureElement, { columns: head, rows }: DocumentView): void {
  const table = pdf.struct("Table")
  root.add(table)
  writeRow(pdf, head, { bold: true, mark: structuredRow(pdf, table, "TH") })
  for (const row of rows) {
    if (pdf.y + rowHeight(pdf, row, false) > bottomOf(pdf)) {
      pdf.addPage()
      writeRow(pdf, head, { bold: true, mark: (write) => asArtifact(pdf, write) })
    }
    writeRow(pdf, row, { bold: false, mark: structuredRow(pdf, table, "TD") })
  }
  table.end()
}

type Mark = (write: () => void) => void

/** Marks what is written as cells of a new row. */
function structuredRow(pdf: Pdf, table: PDFKit.PDFStructureElement, type: "TH" | "TD"): Mark {
  const row = pdf.struct("TR")
  table.add(row)
  return (write) => row.add(pdf.struct(type, {}, write))
}

function asArtifact(pdf: Pdf, write: () => void): void {
  pdf.markContent("Artifact", { type: "Pagination" })
  write()
  pdf.endMarkedContent()
}

function writeRow(
  pdf: Pdf,
  row: DocumentRow,
  { bold, mark }: { readonly bold: boolean; readonly mark: Mark },
): void {
  const top = pdf.y
  const bottom = top + rowHeight(pdf, row, bold)
  let x = MARGIN
  for (const [column, share] of columns) {
    const width = bodyWidth(pdf) * share
    const align = column === "text" ? "left" : "right"
    pdf.y = top + 4
    mark(() => written(pdf, row[column], { bold, size: SMALL, x, width: width - 6, align }))
    x += width
  }
  asArtifact(pdf, () => pdf.moveTo(MARGIN, bottom).lineTo(x, bottom).lineWidth(0.5).stroke("#999999"))
  pdf.y = bottom
}

function rowHeight(pdf: Pdf, row: DocumentRow, bold: boolean): number {
  const heights = columns.map(([column, share]) => {
    pdf.font(bold ? "bold" : "regular").fontSize(SMALL)
    return pdf.heightOfString(row[column], { width: bodyWidth(pdf) * share - 6 })
  })
  return Math.max(...heights) + 8
}

/** A name on the left of the right half, its amount on the right edge. */
function pair(pdf: Pdf, { label, text }: LabelledText, bold: boolean): void {
  const width = bodyWidth(pdf) * 0.65
  const x = MARGIN + bodyWidth(pdf) - width
  pdf.font(bold ? "bold" : "regular").fontSize(NORMAL)
  keepRoom(pdf, pdf.heightOfString(label, { width: width * 0.72 }))
  const top = pdf.y
  written(pdf, label, { bold, x, width: width * 0.72 })
  const bottom = pdf.y
  pdf.y = top
  written(pdf, text, { bold, x: x + width * 0.72, width: width * 0.28, align: "right" })
  pdf.y = Math.max(bottom, pdf.y) + 2
}

type Style = {
  readonly bold?: boolean
  readonly size?: number
  readonly x?: number
  readonly width?: number
  readonly align?: "left" | "right"
}

/** Letters with marks that neither file has are written without them: names stay readable. */
function withoutMissing(text: string): string {
  return text.replace(/[\u0100-\u024f\u1e00-\u1eff]/g, (letter) =>
    MORE.test(letter) || OF_BOTH.test(letter) ? letter : letter.normalize("NFD").replace(/\p{M}/gu, ""),
  )
}

const PLAIN = { bold: false, size: NORMAL, x: MARGIN, align: "left" } as const

/** Writes a text, its letters from the font that has them. */
function written(pdf: Pdf, text: string, style: Style = {}): void {
  const { bold, size, x, align, width } = { ...PLAIN, width: bodyWidth(pdf), ...style }
  const runs = withoutMissing(text).match(RUNS) ?? [""]
  pdf.fontSize(size).fillColor("#000000")
  for (const [at, run] of runs.entries()) {
    pdf.font(fontOf(run, bold))
    const continued = at < runs.length - 1
    if (at === 0) pdf.text(run, x, pdf.y, { width, align, continued })
    else pdf.text(run, { continued })
  }
}

function fontOf(run: string, bold: boolean): keyof typeof fonts {
  if (MORE.test(run)) return bold ? "boldMore" : "regularMore"
  return bold ? "bold" : "regular"
}

function numberPages(pdf: Pdf, { title, pageOf }: DocumentView): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let at = start; at < start + count; at += 1) {
    pdf.switchToPage(at)
    // Below the margin, where text would begin a page.
    pdf.page.margins.bottom = 0
    pdf.y = pdf.page.height - MARGIN + GAP
    asArtifact(pdf, () =>
      written(pdf, `${title} · ${pageOf(at - start + 1, count)}`, { size: SMALL, align: "right" }),
    )
  }
}

function keepRoom(pdf: Pdf, height: number): void {
  if (pdf.y + height > bottomOf(pdf)) pdf.addPage()
}

function bottomOf(pdf: Pdf): number {
  return pdf.page.height - MARGIN
}

function bodyWidth(pdf: Pdf): number {
  return pdf.page.width - 2 * MARGIN
}
