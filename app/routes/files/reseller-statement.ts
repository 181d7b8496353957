import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { localText } from "~/domain/local-time"
import { lineName } from "~/domain/services/line-list"
import { creditStatement, type StatementEntry } from "~/flows/resellers/credit-statement.server"
import { loadI18n } from "~/i18n/load-i18n.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { Route } from "./+types/reseller-statement"
import { csvDownload } from "./csv-download.server"
import { privateFile } from "./private-file.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/** The signed-in reseller's credits as a CSV file; 404 for everybody else. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const { customer } = context.get(sessionContext)
  const entries = customer && (await creditStatement(services, customer))
  if (!entries) throw new Response(null, { status: 404 })
  const locale = context.get(localeContext)
  const { timeZone } = services.shop
  const { i18n } = await loadI18n(locale)
  const t = screenTexts(locale.code)
  const head = [
    `${t("statement.date")} (${timeZone})`,
    t("statement.entry"),
    t("statement.credits"),
    t("statement.order"),
    t("statement.customer"),
    t("lines.message.usernameLabel"),
  ]
  const rows = entries.map(({ at, cause, amount, reference, line }: StatementEntry) => [
    localText(at, timeZone),
    i18n.t(`resellers.balance.${cause}`),
    amount,
    reference,
    line && lineName(line),
    line?.username ?? null,
  ])
  return csvDownload("statement.csv", { locale, head, rows })
}
