import type { ReactNode } from "react"
import { RouterContextProvider } from "react-router"
import { consoleRequest } from "~/context/console.server"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { defaultLocale, type Locale, localeOfCode, locales, pageUrl } from "~/domain/locales"
import { emptyChoices } from "~/domain/orders/choices"
import { guaranteeIn } from "~/domain/shop/brand"
import { messageOfPart } from "~/domain/shop/brand-fields"
import { footerIn } from "~/domain/shop/legal"
import type { CustomerMessage } from "~/domain/shop/mail"
import { showOffer } from "~/flows/checkout/show-offer.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { messageSetting } from "~/mail/message-setting"
import { exampleContent } from "~/mail/messages/example-content"
import { renderMessage } from "~/mail/messages/render-message.server"
import { lawIn } from "~/routes/order/law-view.server"
import { orderAssurance } from "~/routes/order/order-assurance.server"
import { customerViewPage } from "~/ssr/customer-view.server"
import {
  BrandPreviewBanner,
  MailPreview,
  ShopPagePreview,
} from "~/ui/admin/brand/brand-preview-screen.server"
import { consoleHref } from "~/ui/admin/console-frame.server"
import { CheckoutScreen, EmptyCatalogue } from "~/ui/checkout/checkout-screen"
import { offerShown } from "~/ui/checkout/offer-shown"
import type { Route } from "./+types/brand-preview"
import { draftNamed } from "./brand-draft.server"

const PATH = "/admin/brand"

/**
 * The checkout, or a message, as a visitor would have it with a draft, in a language; read-only. It has no session and sets no
 * cookie, so that nothing of a visitor's is touched.
 */
export async function loader({ context, params, url: { searchParams: query } }: Route.LoaderArgs) {
  const { services } = consoleRequest(context)
  const { id, part, shop: drafted } = await draftNamed(context, params.draft)
  const locale = localeOfCode(query.get("locale") ?? "") ?? defaultLocale
  const message = messageOfPart(part)
  const isMail = (query.get("view") ?? (message ? "mail" : "checkout")) === "mail"
  const shop = { ...services.shop, ...drafted }
  const own = new RouterContextProvider()
  own.set(servicesContext, { ...services, shop })
  own.set(localeContext, locale)
  const viewHref = (view: { readonly locale: string; readonly view: string }) =>
    consoleHref(`${PATH}/preview/${encodeURIComponent(id)}?${new URLSearchParams(view)}`)
  const view = isMail ? "mail" : "checkout"
  return customerViewPage(context, {
    title: t("brand.preview"),
    locale,
    brand: shop.brand,
    banner: (
      <BrandPreviewBanner
        back={consoleHref(`${PATH}/${part}?${new URLSearchParams({ draft: id })}`)}
        locale={locale.code}
        locales={locales.map(({ code }) => ({ text: code, href: viewHref({ locale: code, view }) }))}
        view={view}
        views={(["checkout", "mail"] as const).map((it) => ({
          view: it,
          href: viewHref({ locale: locale.code, view: it }),
        }))}
      />
    ),
    screen: isMail ? mailOf(own, message ?? "receipt") : await checkoutOf(own, id),
  })
}

async function checkoutOf(own: RouterContextProvider, draft: string): Promise<ReactNode> {
  const services = own.get(servicesContext)
  const { shop } = services
  const { code: locale } = own.get(localeContext)
  const offer = await showOffer(services, emptyChoices, { currency: shop.currency, locale })
  return (
    <ShopPagePreview
      name={shop.brand.name}
      logo={shop.logo && { ...shop.logo, path: `${PATH}/logo/${encodeURIComponent(draft)}` }}
      footer={footerIn(shop.legal, shop.links.support, locale)}
    >
      {offer ? (
        <CheckoutScreen
          {...offerShown({ ...offer, lastResult: null }, undefined)}
          assurance={orderAssurance(own, offer)}
          paused={null}
          law={lawIn(own, shop.defaultCountry)}
          guarantee={guaranteeIn(shop.brand, locale)}
          notices={[]}
        />
      ) : (
        <EmptyCatalogue />
      )}
    </ShopPagePreview>
  )
}

function mailOf(own: RouterContextProvider, name: CustomerMessage): ReactNode {
  const { shop, now } = own.get(servicesContext)
  const locale: Locale = own.get(localeContext)
  const url = pageUrl(shop.publicUrl, locale, "/")
  const setting = messageSetting(shop, { name, locale: locale.code, now: now(), unsubscribeUrl: null })
  const { subject, text } = renderMessage(exampleContent(name, url, now()), setting)
  return <MailPreview subject={subject} text={text} />
}
