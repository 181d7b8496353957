import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { localText } from "~/domain/local-time"
import type { Service } from "~/domain/services/service"
import { customerLines } from "~/flows/resellers/customer-lines.server"
import { loadI18n } from "~/i18n/load-i18n.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { Route } from "./+types/reseller-lines"
import { csvDownload } from "./csv-download.server"
import { privateFile } from "./private-file.server"

export const middleware: Route.MiddlewareFunction[] = privateFile

/** The lines of a signed-in reseller's customers as a CSV file, without passwords; 404 for everybody else. */
export async function loader({ context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const { customer } = context.get(sessionContext)
  const lines = customer && (await customerLines(services, customer))
  if (!lines) throw new Response(null, { status: 404 })
  const locale = context.get(localeContext)
  const { timeZone } = services.shop
  const { i18n } = await loadI18n(locale)
  const t = screenTexts(locale.code)
  const head = [
    t("statement.customer"),
    t("lines.message.usernameLabel"),
    t("lines.file.device"),
    t("lines.file.status"),
    `${t("lines.file.paidUntil")} (${timeZone})`,
  ]
  const rows = lines.map(({ notes, username, deviceAddress, status, paidUntil }: Service) => [
    notes,
    username,
    deviceAddress,
    i18n.t(`success.status.${status}`),
    paidUntil === null ? null : localText(paidUntil, timeZone),
  ])
  return csvDownload("lines.csv", { locale, head, rows })
}
