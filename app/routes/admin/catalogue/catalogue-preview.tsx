import type { ReactNode } from "react"
import { RouterContextProvider } from "react-router"
import type { CatalogueContent } from "~/billing/catalogue/catalogue-admin"
import { consoleRequest } from "~/context/console.server"
import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { type LoggedServices, servicesContext } from "~/context/services.server"
import { currenciesOffered, type Product, type ProductKind } from "~/domain/catalogue/catalogue"
import { defaultLocale, localeOfCode, locales } from "~/domain/locales"
import { type Currency, currencies } from "~/domain/money/money"
import { emptyChoices } from "~/domain/orders/choices"
import { guaranteeIn } from "~/domain/shop/brand"
import {
  type ProductList,
  placeOf,
  withNewOption,
  withNewProduct,
  withOption,
  withProduct,
} from "~/flows/admin/catalogue/manage-catalogue.server"
import { showOffer, showResellerOffer } from "~/flows/checkout/show-offer.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { furtherPlanText } from "~/routes/order/further-plan.server"
import { lawIn } from "~/routes/order/law-view.server"
import { orderAssurance } from "~/routes/order/order-assurance.server"
import { creditOffer } from "~/routes/resellers/credit-worth.server"
import { consolePage } from "~/ssr/console-page.server"
import { customerViewPage } from "~/ssr/customer-view.server"
import { CataloguePreviewBanner, NoPreviewScreen } from "~/ui/admin/catalogue/catalogue-preview-screen.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import { CheckoutScreen, EmptyCatalogue } from "~/ui/checkout/checkout-screen"
import { offerShown } from "~/ui/checkout/offer-shown"
import { NoResellerPlans, ResellerScreen } from "~/ui/resellers/reseller-screen"
import type { Route } from "./+types/catalogue-preview"
import {
  flawsText,
  formOfQuery,
  newOptionIn,
  newProductIn,
  optionIn,
  productIn,
  productListIn,
} from "./catalogue-form.server"

const PATH = "/admin/catalogue"

/** The checkout as a visitor would see it with what was typed in a form of the catalogue, read-only. Nothing is saved. */
export async function loader({ context, url: { searchParams: query } }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const { catalogue } = services.console
  if (!catalogue) throw new Response(null, { status: 404 })
  const typed = typedIn((await catalogue.present()).content, query)
  if (!typed) throw new Response(null, { status: 404 })
  const back = consoleHref(`${typed.page}?${withoutView(query)}`)
  const checked = await catalogue.check(typed.content)
  if (typed.hasTakenId) return noPreview(context, { flaws: t("catalogue.problems.id-taken"), back })
  if (checked.kind === "invalid") return noPreview(context, { flaws: flawsText(checked.flaws, typed), back })
  const { shop } = services
  const locale = localeOfCode(query.get("locale") ?? "") ?? defaultLocale
  const currency = currencies.find((it) => it === query.get("currency")) ?? shop.currency
  const own = new RouterContextProvider()
  own.set(servicesContext, withProducts(services, checked.products))
  own.set(localeContext, locale)
  const sold = checked.products.filter(({ kind }) => kind === typed.kind)
  return customerViewPage(context, {
    title: t("catalogue.preview"),
    locale,
    banner: (
      <CataloguePreviewBanner
        back={back}
        locale={locale.code}
        locales={locales.map(({ code }) => ({
          text: code,
          href: viewHref(query, { locale: code, currency }),
        }))}
        currency={currency}
        currencies={currenciesOffered(typed.kind, sold).map((it) => ({
          text: it,
          href: viewHref(query, { locale: locale.code, currency: it }),
        }))}
      />
    ),
    screen: await (typed.kind === "plan" ? checkoutOf(own, currency) : resellerCheckoutOf(own, currency)),
  })
}

function noPreview(
  context: RouteContext,
  { flaws, back }: { readonly flaws: string; readonly back: string },
): Response {
  const head = { title: t("catalogue.preview"), path: PATH, status: 422 }
  return consolePage(context, head, <NoPreviewScreen flaws={flaws} back={back} />)
}

async function checkoutOf(own: RouterContextProvider, currency: Currency): Promise<ReactNode> {
  const services = own.get(servicesContext)
  const { code: locale } = own.get(localeContext)
  const offer = await showOffer(services, emptyChoices, { currency, locale })
  if (!offer) return <EmptyCatalogue />
  const { shop } = services
  return (
    <CheckoutScreen
      {...offerShown({ ...offer, lastResult: null }, undefined)}
      assurance={orderAssurance(own, offer)}
      paused={null}
      law={lawIn(own, shop.defaultCountry)}
      guarantee={guaranteeIn(shop.brand, locale)}
      notices={[]}
    />
  )
}

async function resellerCheckoutOf(own: RouterContextProvider, currency: Currency): Promise<ReactNode> {
  const services = own.get(servicesContext)
  const { code: locale } = own.get(localeContext)
  const visitor = { customer: null, claimsExisting: false, currency, locale }
  const offer = await showResellerOffer(services, emptyChoices, visitor)
  if (!offer) return <NoResellerPlans />
  return (
    <ResellerScreen
      lead={await creditOffer(own, currency, { isOpen: false })}
      credits=""
      furtherPlan={furtherPlanText(own)}
      {...offerShown({ ...offer, lastResult: null }, undefined)}
      assurance={orderAssurance(own, offer)}
      paused={null}
      existing={false}
      signedInEmail={null}
      isReseller={false}
      hasMail={services.shop.mailSender !== null}
      formKey=""
      wait={0}
    />
  )
}

type Typed = {
  readonly content: CatalogueContent
  /** Where the content has what was typed. */
  readonly at: readonly PropertyKey[]
  /** Another product has the id of the new one. */
  readonly hasTakenId?: boolean
  /** Page of the form. */
  readonly page: string
  /** Whose checkout shows it. */
  readonly kind: ProductKind
}

/** The catalogue with what was typed; null if it is about nothing that there is. */
function typedIn(present: CatalogueContent, query: URLSearchParams): Typed | null {
  const form = formOfQuery(query)
  const added = query.get("new")
  if (added === "option") return newOption(present, form)
  if (added !== null) return newProduct(present, productListIn(added), form)
  const pid = query.get("product") ?? ""
  const place = placeOf(present, pid)
  if (place) {
    const content = withProduct(present, place, productIn(form))
    const at = [place.list, content[place.list].findIndex((it) => it.pid === pid)]
    const kind = place.list === "plans" ? "plan" : "reseller"
    return { content, at, page: `${PATH}/products/${encodeURIComponent(pid)}`, kind }
  }
  const id = query.get("option") ?? ""
  const index = present.configoptions.findIndex((it) => it.id === id)
  const option = present.configoptions[index]
  if (!option) return null
  const choiceIds = option.options.map((it) => it.id)
  const content = withOption(present, id, optionIn(form, choiceIds))
  const page = `${PATH}/options/${encodeURIComponent(id)}`
  return { content, at: ["configoptions", index], page, kind: "plan" }
}

/** A new product as if it were not hidden, since nobody would see it otherwise. */
function newProduct(present: CatalogueContent, list: ProductList, form: FormData): Typed {
  const typed = newProductIn(form)
  const content = withNewProduct(present, list, { ...typed, isHidden: false })
  const at = [list, content[list].findIndex((it) => it.pid === typed.pid.trim())]
  const hasTakenId = placeOf(present, typed.pid.trim()) !== null
  return { content, at, hasTakenId, page: `${PATH}/products`, kind: list === "plans" ? "plan" : "reseller" }
}

function newOption(present: CatalogueContent, form: FormData): Typed {
  const ids = { optionId: "new-option", choiceIds: ["new-1", "new-2", "new-3"] }
  const content = withNewOption(present, ids, newOptionIn(form))
  const at = ["configoptions", present.configoptions.length]
  return { content, at, page: `${PATH}/options`, kind: "plan" }
}

/** The services of a visitor of a shop with these products. */
function withProducts(services: LoggedServices, products: readonly Product[]): LoggedServices {
  const { catalogue } = services
  return {
    ...services,
    catalogue: {
      ...catalogue,
      plans: async () => products.filter(({ kind }) => kind === "plan"),
      resellerPlans: async () => products.filter(({ kind }) => kind === "reseller"),
    },
  }
}

function viewHref(query: URLSearchParams, view: { locale: string; currency: string }): string {
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(view)) changed.set(name, value)
  return consoleHref(`${PATH}/preview?${changed}`)
}

/** What was typed, for the form. */
function withoutView(query: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams(query)
  for (const name of ["locale", "currency", "product", "option", "new"]) typed.delete(name)
  return typed
}
