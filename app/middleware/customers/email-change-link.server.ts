import { type MiddlewareFunction, redirect } from "react-router"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { maskedEmail } from "~/domain/customers/email"
import { EMAIL_CHANGE_TOKEN } from "~/domain/orders/screen-paths"
import { openEmailChangeLink, revertEmailChange } from "~/flows/customers/revert-email-change.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import { interstitial } from "../interstitial.server"
import { ownPath } from "../redirect-to.server"

type Stage = "open" | "confirmed" | "reverted" | "taken" | "over"

const statusOf = { open: 200, confirmed: 200, reverted: 200, taken: 409, over: 404 } as const

/**
 * The link of the messages about a change of e-mail to the former address: a page with one button, whose POST stops or undoes
 * the change, in any browser. Opening it changes nothing, since mail scanners and previews do so too.
 */
export const emailChangeLink: MiddlewareFunction<Response> = async ({ request, url, context }) => {
  const token = url.searchParams.get(EMAIL_CHANGE_TOKEN)
  if (token === null) return
  const services = context.get(servicesContext)
  if (request.method === "POST") {
    const result = await revertEmailChange(services, token)
    if (result !== "reverted") throw screenOf(context, result, "")
    throw redirect(`${ownPath(url)}?${EMAIL_CHANGE_TOKEN}=${token}`, 303)
  }
  const opened = await openEmailChangeLink(services, token)
  throw screenOf(context, opened?.stage ?? "over", opened?.change.newEmail ?? "")
}

function screenOf(context: RouteContext, stage: Stage, newEmail: string) {
  const t = screenTexts(context.get(localeContext).code)
  const { support } = context.get(servicesContext).shop.links
  const lead = t(`emailLink.${stage}.lead`, { address: maskedEmail(newEmail) })
  const isRevertible = stage === "open" || stage === "confirmed"
  const screen = {
    kind: "email-change",
    heading: t(`emailLink.${stage}.heading`),
    lead: stage === "taken" && support !== null ? `${lead} ${t("emailLink.askSupport")}` : lead,
    action: isRevertible ? t(`emailLink.${stage}.action`) : null,
    signIn: stage === "reverted" ? t("emailLink.signIn") : null,
  } as const
  return interstitial(screen, statusOf[stage])
}
