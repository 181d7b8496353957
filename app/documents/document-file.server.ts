import type { ShownDocument } from "~/domain/accounting/tax-document"
import { type BrandedShop, type DocumentPage, documentPage } from "./document-page.server"
import { pdfOf } from "./document-pdf.server"

/** The name of a document's file: its number, and the form that is asked for; without one, the page. */
const NAME = /^([\w-]{1,64})(?:\.(pdf|xml))?$/

export type DocumentFile = { readonly number: string; readonly form: "page" | "pdf" | "xml" }

/** Which document a file's name asks for, and in which form; null for any other name. */
export function documentFileIn(name: string): DocumentFile | null {
  const [, number, form = "page"] = NAME.exec(name) ?? []
  if (number === undefined) return null
  return { number, form: form === "pdf" || form === "xml" ? form : "page" }
}

type DocumentSurroundings = { readonly shop: BrandedShop; readonly page: Omit<DocumentPage, "files"> }

/** A document as a page that prints well, or as a file to keep. Null: a proforma has no XML. */
export async function documentFile(
  document: ShownDocument,
  { number: asked, form }: DocumentFile,
  { shop, page }: DocumentSurroundings,
): Promise<Response | null> {
  const name = document.number ?? `proforma-${document.orderId}`
  if (form === "page") {
    // Beside the page, by the name that it was asked for itself.
    const files = formsOf(document).map((it) => ({ form: it, name: `${asked}.${it}` }))
    return new Response(documentPage(document, shop, { ...page, files }), {
      headers: { "content-type": "text/html; charset=utf-8" },
    })
  }
  if (form === "pdf") return file(await pdfOf(document, shop), "application/pdf", `${name}.pdf`)
  if (document.kind === "proforma") return null
  // Loaded on demand, as the library for PDF is: a server that writes none does not carry it.
  const { ublOf } = await import("./ubl.server")
  const xml = Buffer.from(ublOf(document, shop))
  return file(xml, "application/xml; charset=utf-8", `${name}.xml`)
}

function formsOf({ kind }: ShownDocument): readonly ("pdf" | "xml")[] {
  return kind === "proforma" ? ["pdf"] : ["pdf", "xml"]
}

/** `name`: of letters, digits, hyphens and underscores, as numbers and ids of orders are. */
function file(body: Buffer, type: string, name: string): Response {
  return new Response(new Uint8Array(body), {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  })
}
