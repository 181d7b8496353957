import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { Service } from "~/domain/services/service"
import { passwordProof } from "~/flows/customers/set-password.server"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { PasswordView } from "~/ui/success/password-form"

/** The form for the password of the service's customer; null: the session may not set it. */
export function passwordView(context: RouteContext, { customerId }: Service): PasswordView | null {
  const session = context.get(sessionContext)
  if (session.customer?.id !== customerId) return null
  const needed = passwordProof(context.get(servicesContext), session)
  if (needed === null) return null
  const t = screenTexts(context.get(localeContext).code)
  const again = { lead: t("account.passwordProof"), action: t("account.email.proofAction") }
  return { again: needed === "sign-in" ? again : null }
}
