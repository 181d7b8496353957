import { data, useRouteLoaderData } from "react-router"
import { localeContext } from "~/context/locale.server"
import { pricingContext } from "~/context/pricing.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext } from "~/context/session.server"
import { LOST_CHOICES } from "~/domain/orders/screen-paths"
import { guaranteeIn } from "~/domain/shop/brand"
import { sellsToResellers, showOffer } from "~/flows/checkout/show-offer.server"
import { otherSelection } from "~/middleware/orders/other-selection.server"
import { redirections } from "~/middleware/orders/redirections.server"
import { pricing } from "~/middleware/pricing/pricing.server"
import type { PageHandle, ShopView } from "~/ssr/document"
import { CheckoutScreen, EmptyCatalogue } from "~/ui/checkout/checkout-screen"
import { offerShown, reloadsOffer } from "~/ui/checkout/offer-shown"
import { cancelledText } from "../order/cancelled-order.server"
import { ownCredit, withCredit } from "../order/credit-view.server"
import { withFreeOrder } from "../order/free-order.server"
import { lawView, undeclaredInDraft } from "../order/law-view.server"
import { orderAssurance } from "../order/order-assurance.server"
import { pausedNote } from "../order/paused-note.server"
import type { Route } from "./+types/checkout"
import { handleCheckoutAction } from "./checkout-action.server"
import { orderNotices, ownServicesNotice, trialNotices } from "./checkout-notices.server"
import { choicesIn } from "./checkout-selection.server"
import { withAnswer, withShownPrices, withTypedCode } from "./offer-view.server"
import { withTax } from "./tax-view.server"
import { viewerCheckout } from "./viewer-checkout.server"

export const middleware: Route.MiddlewareFunction[] = [
  otherSelection(choicesIn(viewerCheckout)),
  redirections("checkout"),
  pricing,
]
export const handle = {
  title: "title.checkout",
  public: true,
  hasOrderForm: true,
  firstStyle: "purchase",
  description: "description.checkout",
} satisfies PageHandle
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders
export const shouldRevalidate = reloadsOffer

export async function loader({ url, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const locale = context.get(localeContext).code
  const { currency, isOnlyCurrency } = context.get(pricingContext)
  const [offer, hasResellerPlans, trial, order, credit] = await Promise.all([
    showOffer(services, context.get(sessionContext).choices, { currency, isOnlyCurrency, locale }),
    sellsToResellers(services, currency),
    trialNotices(context),
    orderNotices(context, url.searchParams),
    ownCredit(context),
  ])
  if (!offer) return data({ offer, hasResellerPlans }, { status: 503 })
  const lost: Record<string, string[]> = url.searchParams.has(LOST_CHOICES) ? { "": ["checkout.lost"] } : {}
  const missing = { ...lost, ...undeclaredInDraft(context) }
  const offered = withFreeOrder(context, withAnswer(offer, missing))
  return data({
    hasResellerPlans,
    offer: {
      ...withTypedCode(context, withCredit(withShownPrices(withTax(context, offered)), credit)),
      trial,
      cancelled: await cancelledText(context, url.searchParams),
      order,
      own: ownServicesNotice(context),
      law: lawView(context),
      assurance: orderAssurance(context, offer),
      paused: pausedNote(context, offer),
      guarantee: guaranteeIn(services.shop.brand, locale),
    },
  })
}

export async function action(sent: Route.ActionArgs) {
  return handleCheckoutAction(viewerCheckout, sent)
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { offer } = loaderData
  const ownsService = useRouteLoaderData<ShopView>("root")?.ownsService
  if (!offer) return <EmptyCatalogue />
  const notices = [...offer.order, ...offer.trial]
  if (ownsService) notices.push(offer.own)
  return <CheckoutScreen {...offerShown(offer, actionData?.lastResult)} notices={notices} />
}
