import { redirect } from "react-router"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { documentFile, documentFileIn } from "~/documents/document-file.server"
import { BASE } from "~/domain/base-path"
import { documentPath, orderLinkPath } from "~/domain/orders/screen-paths"
import { proformaOfOrder } from "~/flows/services/proforma.server"
import { screenHref } from "../screen-href.server"
import type { Route } from "./+types/proforma"
import { privateFile } from "./private-file.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/**
 * What an unpaid order will cost as a page or PDF, for the buyer by session; 404 for everybody else. A paid order's leads to its
 * invoice, an ended one's to the page that says so.
 */
export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const asked = documentFileIn(params.file)
  const isOffered = asked !== null && asked.form !== "xml"
  const offer = isOffered ? await proformaOfOrder(services, context.get(sessionContext), asked.number) : null
  if (!isOffered || !offer) throw new Response(null, { status: 404 })
  if (offer.kind === "ended") throw redirect(screenHref(context, orderLinkPath(offer.orderId)))
  if (offer.kind === "invoice") {
    const file = asked.form === "pdf" ? `${offer.number}.pdf` : offer.number
    throw redirect(screenHref(context, documentPath.replace(":file", file)))
  }
  return documentFile(offer.document, asked, {
    shop: services.shop,
    page: {
      nonce: context.get(requestContext).nonce,
      back: `${BASE}${screenHref(context, orderLinkPath(asked.number))}`,
    },
  })
}
