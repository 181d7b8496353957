import { consoleRequest } from "~/context/console.server"
import { requestContext } from "~/context/request.server"
import { documentFile, documentFileIn } from "~/documents/document-file.server"
import { documentOfOrder } from "~/flows/admin/orders/order-page.server"
import { orderHref } from "~/ui/admin/record-links.server"
import type { Route } from "./+types/order-document"

/** An invoice, credit note or proforma of an order as a page, PDF or XML, for who may see whose it is; 404 for others. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const asked = documentFileIn(params.file)
  const sought = asked && { order: params.number, number: asked.number, role: session.role }
  const document = sought && (await documentOfOrder(services, sought))
  if (!document) throw new Response(null, { status: 404 })
  const file = await documentFile(document, asked, {
    shop: services.shop,
    page: {
      nonce: context.get(requestContext).nonce,
      back: orderHref(params.number),
    },
  })
  if (!file) throw new Response(null, { status: 404 })
  return file
}
