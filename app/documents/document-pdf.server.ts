import { createRequire } from "node:module"
import type { ShownDocument } from "~/domain/accounting/tax-document"
import { shadesOf } from "~/domain/shop/brand-colours"
import type { BrandedShop } from "./document-page.server"
import {
  type DocumentRow,
  type DocumentView,
  documentView,
  type LabelledText,
  sellerName,
} from "./document-view"
import type { LogoPicture } from "./logo-picture.server"

type Pdf = PDFKit.PDFDocument

const MARGIN = 56
const SMALL = 9
const NORMAL = 10
const GAP = 14
/** Height of the bar at the top, in the colour of the brand. */
const BAR = 8
/** What a logo fits into. */
const LOGO = { width: 160, height: 44 }

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
 * A document as a tagged PDF of A4 pages, with its fonts, language and title, in the shop's brand. The libraries are loaded
 * with the first one: a server that writes none does not carry them.
 */
export async function pdfOf(document: ShownDocument, shop: BrandedShop): Promise<Buffer> {
  const { default: PDFDocument } = await import("pdfkit")
  const { logoPicture } = await import("./logo-picture.server")
  const view = documentView(document, shop)
  const pdf = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: "1.7",
    tagged: true,
    lang: view.lang,
    displayTitle: true,
    info: {
      Title: view.title,
      Author: sellerName(document, shop.brand),
      CreationDate: new Date(document.issuedAt),
    },
  })
  for (const [name, file] of Object.entries(fonts)) pdf.registerFont(name, resolve(file))
  const chunks: Buffer[] = []
  pdf.on("data", (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<Buffer>((done, failed) => {
    pdf.on("end", () => done(Buffer.concat(chunks)))
    pdf.on("error", failed)
  })
  writeDocument(pdf, view, { shop, picture: shop.logo && logoPicture(shop.logo) })
  pdf.end()
  return ended
}

/** The shop, and its logo as a PDF can hold it, if there is one. */
type Branding = { readonly shop: BrandedShop; readonly picture: LogoPicture | null }

function writeDocument(pdf: Pdf, view: DocumentView, branding: Branding): void {
  const root = pdf.struct("Document")
  pdf.addStructure(root)
  const add = (type: string, write: () => void) => root.add(pdf.struct(type, {}, write))
  writeHead(pdf, root, view, branding)
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
  for (const [at, remark] of view.remarks.entries()) add("P", () => remarked(pdf, remark, at === 0))
  if (view.payments.length > 0) {
    pdf.y += GAP
    keepRoom(pdf, 40)
    add("H2", () => written(pdf, view.paymentsTitle, { bold: true, size: 12, ...pairPlace(pdf) }))
    pdf.y += 2
    for (const payment of view.payments) add("P", () => pair(pdf, payment, false))
  }
  root.end()
  numberPages(pdf, view)
}

/** A bar in the colour of the brand, the title, and on the right the shop's logo and name. */
function writeHead(pdf: Pdf, root: PDFKit.PDFStructureElement, view: DocumentView, branding: Branding): void {
  const { light } = shadesOf(branding.shop.brand.colours)
  asArtifact(pdf, () => pdf.rect(0, 0, pdf.page.width, BAR).fill(light.brand))
  const top = pdf.y
  const width = bodyWidth(pdf) * 0.62
  root.add(pdf.struct("H1", {}, () => written(pdf, view.title, { bold: true, size: 20, width })))
  const bottom = pdf.y
  pdf.y = top
  writeBrand(pdf, root, branding, light.ink)
  pdf.y = Math.max(bottom, pdf.y) + GAP
}

function writeBrand(
  pdf: Pdf,
  root: PDFKit.PDFStructureElement,
  { shop: { brand, logo }, picture }: Branding,
  ink: string,
): void {
  const width = bodyWidth(pdf) * 0.34
  const x = MARGIN + bodyWidth(pdf) - width
  if (picture) {
    const scale = Math.min(LOGO.width / picture.width, LOGO.height / picture.height)
    const [wide, high] = [picture.width * scale, picture.height * scale]
    const top = pdf.y
    const alt = { alt: brand.name }
    root.add(
      pdf.struct("Figure", alt, () => {
        pdf.image(picture.bytes, x + width - wide, top, { width: wide, height: high })
      }),
    )
    pdf.y = top + high + 4
  }
  if (!picture || logo?.withName)
    root.add(
      pdf.struct("P", {}, () =>
        written(pdf, brand.name, { bold: true, size: 14, colour: ink, x, width, align: "right" }),
      ),
    )
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
    const width = cellWidth(pdf, column, share)
    const right = x + bodyWidth(pdf) * share
    const align = column === "text" ? "left" : "right"
    pdf.y = top + 4
    mark(() => written(pdf, row[column], { bold, size: SMALL, x: right - width, width, align }))
    x = right
  }
  asArtifact(pdf, () => pdf.moveTo(MARGIN, bottom).lineTo(x, bottom).lineWidth(0.5).stroke("#999999"))
  pdf.y = bottom
}

/** Figures keep apart from the column before them, so that the last ones end where the totals do. */
function cellWidth(pdf: Pdf, column: keyof DocumentRow, share: number): number {
  return bodyWidth(pdf) * share - (column === "text" ? 0 : 6)
}

function rowHeight(pdf: Pdf, row: DocumentRow, bold: boolean): number {
  const heights = columns.map(([column, share]) => {
    pdf.font(bold ? "bold" : "regular").fontSize(SMALL)
    return pdf.heightOfString(row[column], { width: cellWidth(pdf, column, share) })
  })
  return Math.max(...heights) + 8
}

/** A sentence under the sums, whole on its page. */
function remarked(pdf: Pdf, text: string, isFirst: boolean): void {
  if (isFirst) pdf.y += GAP
  pdf.font("regular").fontSize(NORMAL)
  keepRoom(pdf, pdf.heightOfString(text, { width: bodyWidth(pdf) }))
  written(pdf, text)
}

/** The sums and payments are in the right two thirds. */
function pairPlace(pdf: Pdf): { readonly x: number; readonly width: number } {
  const width = bodyWidth(pdf) * 0.65
  return { x: MARGIN + bodyWidth(pdf) - width, width }
}

/** A name on the left of that place, its amount on the right edge. */
function pair(pdf: Pdf, { label, text }: LabelledText, bold: boolean): void {
  const { x, width } = pairPlace(pdf)
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
  readonly colour?: string
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

const PLAIN = { bold: false, size: NORMAL, colour: "#000000", x: MARGIN, align: "left" } as const

/** Writes a text, its letters from the font that has them. */
function written(pdf: Pdf, text: string, style: Style = {}): void {
  const { bold, size, colour, x, align, width } = { ...PLAIN, width: bodyWidth(pdf), ...style }
  const runs = withoutMissing(text).match(RUNS) ?? [""]
  pdf.fontSize(size).fillColor(colour)
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
