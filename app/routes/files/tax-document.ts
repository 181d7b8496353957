import { data } from "react-router"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { pdfOf } from "~/documents/document-pdf.server"
import { issuedDocument } from "~/flows/services/issued-document.server"
import type { Route } from "./+types/tax-document"
import { privateFile } from "./private-file.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/** An invoice or credit note as a file, PDF or XML, for the buyer by session; 404 for everybody else. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const [, number = "", form] = /^([\w-]{1,64})\.(pdf|xml)$/.exec(params.file) ?? []
  const document = form && (await issuedDocument(services, context.get(sessionContext), number))
  if (!document) throw data(null, { status: 404 })
  const { timeZone } = services.shop
  if (form === "pdf") return file(await pdfOf(document, timeZone), "application/pdf", `${number}.pdf`)
  // Loaded on demand, as the library for PDF is: a server that writes none does not carry it.
  const { ublOf } = await import("~/documents/ubl.server")
  return file(Buffer.from(ublOf(document, timeZone)), "application/xml; charset=utf-8", `${number}.xml`)
}

/** `name`: of letters, digits and hyphens, as the address has it. */
function file(body: Buffer, type: string, name: string): Response {
  return new Response(new Uint8Array(body), {
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"` },
  })
}
