import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { documentFile, documentFileIn } from "~/documents/document-file.server"
import { BASE } from "~/domain/base-path"
import { pathOf } from "~/domain/orders/screen-paths"
import { issuedDocument } from "~/flows/services/issued-document.server"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/tax-document"
import { privateFile } from "./private-file.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/** An invoice or credit note as a page, PDF or XML, for the buyer by session; 404 for everybody else. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const asked = documentFileIn(params.file)
  const document = asked && (await issuedDocument(services, context.get(sessionContext), asked.number))
  if (!document) throw new Response(null, { status: 404 })
  return documentFile(document, asked, {
    shop: services.shop,
    page: {
      nonce: context.get(requestContext).nonce,
      back: `${BASE}${screenHref(context, pathOf.viewer.success)}`,
    },
  })
}
