import type { IssuedDocument } from "~/domain/tax-document"
import { pdfOf } from "./document-pdf.server"

/** The name of a document's file: its number, and the form that is asked for. */
const NAME = /^([\w-]{1,64})\.(pdf|xml)$/

export type DocumentFile = { readonly number: string; readonly form: "pdf" | "xml" }

/** Which document a file's name asks for, and in which form; null for any other name. */
export function documentFileIn(name: string): DocumentFile | null {
  const [, number, form] = NAME.exec(name) ?? []
  return number !== undefined && (form === "pdf" || form === "xml") ? { number, form } : null
}

/** A document as a file to keep. */
export async function documentFile(
  document: IssuedDocument,
  { form }: DocumentFile,
  timeZone: string,
): Promise<Response> {
  if (form === "pdf")
    return file(await pdfOf(document, timeZone), "application/pdf", `${document.number}.pdf`)
  // Loaded on demand, as the library for PDF is: a server that writes none does not carry it.
  const { ublOf } = await import("./ubl.server")
  const xml = Buffer.from(ublOf(document, timeZone))
  return file(xml, "application/xml; charset=utf-8", `${document.number}.xml`)
}

/** `name`: of letters, digits and hyphens, as numbers are. */
function file(body: Buffer, type: string, name: string): Response {
  return new Response(new Uint8Array(body), {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  })
}
