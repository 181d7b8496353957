import { consoleRequest } from "~/context/console.server"
import { type OperatorRole, operatorShownTo } from "~/domain/operator"
import { productsOnSale } from "~/flows/services/all-products.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { CatalogueScreen } from "~/ui/admin/catalogue-screen.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import type { Route } from "./+types/catalogue"

const PATH = "/admin/catalogue"
const PER_PAGE = 20

/** The products, their options, and the versions. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { services, session } = consoleRequest(context)
  const { catalogue } = services.console
  const head = { title: t("catalogue.title"), path: PATH }
  const { timeZone } = services.shop
  if (!catalogue) {
    const products = await productsOnSale(services.catalogue)
    return consolePage(
      context,
      head,
      <CatalogueScreen notice={null} products={products} versions={null} timeZone={timeZone} />,
    )
  }
  const typed = Number(url.searchParams.get("before") ?? Number.NaN)
  const before = Number.isSafeInteger(typed) ? typed : undefined
  const [{ products }, found] = await Promise.all([
    catalogue.present(),
    catalogue.versions({ before, limit: PER_PAGE + 1 }),
  ])
  const listed = found.slice(0, PER_PAGE)
  const last = found.length > PER_PAGE ? listed.at(-1) : undefined
  return consolePage(
    context,
    head,
    <CatalogueScreen
      notice={noticeIn(url)}
      products={products}
      versions={listed.map((it) => ({ ...it, author: authorShownTo(session.role, it.author) }))}
      links={{
        older: last ? consoleHref(`${PATH}?before=${last.number}`) : null,
        newer: null,
        newest: before === undefined ? null : consoleHref(PATH),
      }}
      timeZone={timeZone}
    />,
  )
}

function noticeIn({ searchParams }: URL): ActionNotice | null {
  if (searchParams.has("removed")) return { kind: "good", text: t("catalogue.removed") }
  return searchParams.has("done") ? { kind: "good", text: t("action.done") } : null
}

function authorShownTo(role: OperatorRole, author: string | null): string | null {
  return author === null ? null : operatorShownTo(role, author)
}
