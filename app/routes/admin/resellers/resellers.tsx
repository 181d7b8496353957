import type { ResellerAdmin } from "~/billing/reseller-admin"
import { consoleRequest } from "~/context/console.server"
import { emailShownTo, findsByBeginning, type OperatorRole } from "~/domain/operators/operator"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { ResellersScreen } from "~/ui/admin/resellers/resellers-screen.server"
import { linksByKey } from "../list-address.server"
import type { Route } from "./+types/resellers"

const PATH = "/admin/resellers"
const PER_PAGE = 50

/** Customers with a reseller plan: by the beginning of an e-mail, or all in pages. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { resellers } = services.console
  const sought = (url.searchParams.get("q") ?? "").trim()
  const { listed, links, isCut } =
    sought === "" ? await allResellers(resellers, url) : await namedResellers(resellers, sought, session.role)
  return consolePage(
    context,
    { title: t("resellers.title"), path: PATH },
    <ResellersScreen
      sought={sought}
      resellers={listed.map((it) => ({ ...it, email: emailShownTo(session.role, it.email) }))}
      links={links}
      isCut={isCut}
    />,
  )
}

async function allResellers(resellers: ResellerAdmin, { searchParams }: URL) {
  const before = searchParams.get("before") ?? undefined
  const after = before === undefined ? (searchParams.get("after") ?? undefined) : undefined
  const found = await resellers.listResellers({ after, before, limit: PER_PAGE + 1 })
  const page = found.slice(0, PER_PAGE)
  const listed = before === undefined ? page : page.toReversed()
  const ends = [listed.at(0)?.id, listed.at(-1)?.id] as const
  const links = linksByKey({ address: PATH, ends, after, before, hasMore: found.length > PER_PAGE })
  return { listed, links, isCut: false }
}

async function namedResellers(resellers: ResellerAdmin, text: string, role: OperatorRole) {
  // The beginning of an e-mail, letter by letter, would spell out what is masked.
  const isWhole = !findsByBeginning(role)
  const found = await resellers.listResellers({ email: text, isWhole, limit: PER_PAGE + 1 })
  const links = { older: null, newer: null, newest: null }
  return { listed: found.slice(0, PER_PAGE), links, isCut: found.length > PER_PAGE }
}
