import { data } from "react-router"
import { z } from "zod"
import { recordClick } from "~/flows/record-click.server"
import { formOf } from "~/http/form.server"
import { requestContext } from "~/request.server"
import { servicesContext } from "~/services.server"
import type { Route } from "./+types/new-click"

const Click = z.object({ aff_id: z.string().regex(/^\d{1,9}$/), referer: z.string().max(2_000).optional() })

/** A click on an affiliate's link that led somewhere else than here (spec, section 7): counted like any other. */
export async function action({ request, context }: Route.ActionArgs) {
  const click = Click.safeParse(await fieldsOf(request))
  if (!click.success) throw data(null, { status: 400 })
  await recordClick(context.get(servicesContext), {
    affiliateId: click.data.aff_id,
    address: context.get(requestContext).address,
    userAgent: request.headers.get("user-agent"),
    referer: click.data.referer ?? request.headers.get("referer"),
  })
  return new Response(null, { status: 204 })
}

/** A form or JSON, as the caller likes it; a number is as good as its digits. */
async function fieldsOf(request: Request): Promise<unknown> {
  if (!request.headers.get("content-type")?.startsWith("application/json")) {
    return Object.fromEntries(await formOf(request))
  }
  try {
    const { aff_id, ...rest } = await request.json()
    return { ...rest, aff_id: String(aff_id) }
  } catch {
    return null
  }
}

/** There is nothing to read here. */
export function loader() {
  throw data(null, { status: 404 })
}
