import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { ClaimsExisting } from "~/domain/forms/reseller-form"
import { shownCreditsText } from "~/domain/forms/shown-prices"
import { typedInto } from "~/domain/refused-form"
import { showResellerOffer } from "~/flows/checkout/show-offer.server"
import { ownResellerAccount } from "~/flows/resellers/show-reseller.server"
import { otherSelection } from "~/middleware/orders/other-selection.server"
import { redirections } from "~/middleware/orders/redirections.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import type { PageHandle } from "~/ssr/document"
import { offerShown, reloadsOffer } from "~/ui/checkout/offer-shown"
import { NoResellerPlans, ResellerScreen } from "~/ui/resellers/reseller-screen"
import { handleCheckoutAction } from "../checkout/checkout-action.server"
import { choicesIn } from "../checkout/checkout-selection.server"
import { withAnswer, withShownPrices, withTypedCode } from "../checkout/offer-view.server"
import { withTax } from "../checkout/tax-view.server"
import { cancelledText } from "../order/cancelled-order.server"
import { ownCredit, withCredit } from "../order/credit-view.server"
import { withFreeOrder } from "../order/free-order.server"
import { furtherPlanText } from "../order/further-plan.server"
import { orderAssurance } from "../order/order-assurance.server"
import { pausedNote } from "../order/paused-note.server"
import type { Route } from "./+types/resellers"
import { creditOffer } from "./credit-worth.server"
import { resellerCheckout } from "./reseller-checkout.server"

export const middleware: Route.MiddlewareFunction[] = [
  otherSelection(choicesIn(resellerCheckout)),
  redirections("checkout", "reseller"),
  pricing,
]
export const handle = {
  title: "title.resellers",
  public: true,
  description: "description.resellers",
  hasOrderForm: true,
  neverCached: true,
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders
export const shouldRevalidate = reloadsOffer

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const session = context.get(sessionContext)
  const { choices, customer } = session
  const { currency, isOnlyCurrency } = context.get(pricingContext)
  const existing = ClaimsExisting.parse(url.searchParams.get("existing"))
  const [offer, account, credit] = await Promise.all([
    showResellerOffer(services, choices, {
      customer,
      claimsExisting: existing,
      currency,
      isOnlyCurrency,
      locale: context.get(localeContext).code,
    }),
    ownResellerAccount(services, session),
    ownCredit(context),
  ])
  return {
    offer: offer && {
      ...withTypedCode(
        context,
        withCredit(withShownPrices(withTax(context, withFreeOrder(context, withAnswer(offer)))), credit),
      ),
      lead: await creditOffer(context, currency, account),
      credits: shownCreditsText(offer.plans),
      furtherPlan: furtherPlanText(context),
      cancelled: await cancelledText(context, url.searchParams),
      assurance: orderAssurance(context, offer),
      paused: pausedNote(context, offer),
    },
    existing,
    signedInEmail: customer?.email ?? null,
    isReseller: account.hasPage,
    hasMail: services.shop.mailSender !== null,
    formKey: services.newId(),
  }
}

export async function action(sent: Route.ActionArgs) {
  return handleCheckoutAction(resellerCheckout, sent)
}

export default function Resellers({ loaderData, actionData }: Route.ComponentProps) {
  const { offer, existing, ...shown } = loaderData
  if (!offer) return <NoResellerPlans />
  const lastResult = actionData?.lastResult
  return (
    <ResellerScreen
      {...shown}
      {...offerShown(offer, lastResult)}
      existing={lastResult ? typedInto("existing", lastResult) === "yes" : existing}
      wait={actionData?.wait ?? 0}
    />
  )
}
