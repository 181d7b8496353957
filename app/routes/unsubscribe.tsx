import { data, redirect } from "react-router"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { isUnsubscribeLink, unsubscribe } from "~/flows/mail/unsubscribe.server"
import { formOf } from "~/http/form.server"
import type { PageHandle } from "~/ssr/document"
import { UnsubscribeScreen } from "~/ui/mail/unsubscribe-screen"
import type { Route } from "./+types/unsubscribe"

export const handle = { title: "title.unsubscribe", public: false } satisfies PageHandle

/** Opening the address changes nothing: mail programs and scanners open every link. */
export function loader({ url, context }: Route.LoaderArgs) {
  if (!isUnsubscribeLink(context.get(servicesContext), url.searchParams))
    throw data({ kind: "not-found" }, { status: 404 })
  return { isDone: url.searchParams.has("done") }
}

/**
 * The POST of a mail program (RFC 8058) comes without cookie and Origin, and must not be redirected: it is answered by 200.
 * The page's own button is redirected as every form.
 */
export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await formOf(request)
  const isKnown = await unsubscribe(context.get(servicesContext), url.searchParams)
  if (!isKnown) throw data({ kind: "not-found" }, { status: 404 })
  if (form.get("List-Unsubscribe") === "One-Click") return { isDone: true }
  const query = new URLSearchParams(url.searchParams)
  query.set("done", "")
  // React Router adds the base path.
  throw redirect(`${url.pathname.slice(BASE.length)}?${query}`, 303)
}

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  return <UnsubscribeScreen isDone={actionData?.isDone ?? loaderData.isDone} />
}
