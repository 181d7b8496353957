import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import type { TrialPlan, TrialRefusal } from "~/domain/catalogue/trial"
import { UNREACHABLE_EMAIL } from "~/domain/forms/field-rules"
import { KEPT_EMAIL } from "~/domain/forms/hidden-fields"
import { HONEYPOT } from "~/domain/forms/honeypot"
import { pathOf } from "~/domain/orders/screen-paths"
import { trialPlans } from "~/flows/checkout/start-trial.server"
import { durationText } from "~/ui/layout/format"
import type { TrialView } from "~/ui/trial/trial-screen"
import { writingOf } from "../page-writing.server"
import { screenHref } from "../screen-href.server"

/** Why a trial has not begun: `too-many` by the rate limit. */
export type TrialProblem = TrialRefusal | "gone" | "rejected" | "tooMany"

type Refused = {
  readonly typed: { readonly plan: string; readonly email: string }
  readonly problem?: TrialProblem
  readonly emailError?: TrialView["emailError"]
}

/** The plans of the visitor's currency that may be tried. */
export async function trialsShown(context: RouteContext): Promise<readonly TrialPlan[]> {
  const services = context.get(servicesContext)
  return trialPlans(services, services.catalogue, context.get(pricingContext).currency)
}

/** The page of the free trial; null if there is none. */
export async function trialView(
  context: RouteContext,
  refused: Refused | null = null,
): Promise<TrialView | null> {
  const plans = await trialsShown(context)
  const [first] = plans
  if (!first) return null
  const { t, money, plan } = writingOf(context)
  const locale = context.get(localeContext)
  const duration = (hours: number) => durationText(hours, locale)
  const { choices } = context.get(sessionContext)
  const wanted = refused?.typed.plan ?? choices.plan
  const chosen = plans.find(({ id }) => id === wanted) ?? first
  const problem = refused?.problem
  return {
    heading: t("trial.heading", { duration: duration(first.trialHours) }),
    lead: t("trial.lead"),
    legend: t("trial.plan"),
    plans: plans.map(({ id, name, price, trialHours }) => ({
      id,
      name: plan(name),
      text: t("trial.offer", { duration: duration(trialHours), price: money(price) }),
      isChosen: id === chosen.id,
    })),
    email: refused?.typed.email ?? choices.email ?? "",
    emailError: refused?.emailError ?? null,
    fields: { honeypot: HONEYPOT, keptEmail: refused?.emailError === UNREACHABLE_EMAIL ? KEPT_EMAIL : null },
    problem: problem ? t(`trial.${problem}`) : null,
    notes: [t("trial.ends"), t("trial.once")],
    key: context.get(servicesContext).newId(),
    submit: t("trial.submit"),
    leave: { text: t("trial.leave"), path: screenHref(context, pathOf.viewer.checkout) },
  }
}
