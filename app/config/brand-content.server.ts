import type { BrandContent } from "~/domain/shop/shop-sections"
import { logoOf } from "./logo-file.server"
import type { ShopFile } from "./shop-file.server"

/** The part of the shop file that the console can set; of `documents` the seller alone. */
export type ShopTexts = Pick<
  ShopFile,
  "brand" | "logo" | "links" | "apps" | "setup" | "legal" | "documents" | "methods" | "mail"
>

/** The shop's brand and texts: each section that the console has set, in place of the shop file's. */
export function withBrandContent(file: ShopTexts, content: BrandContent): ShopTexts {
  const { links, apps, setup, legal, documents, methods, mail } = file
  return {
    ...(content.brand ? withLogo(file, content.brand) : { brand: file.brand, logo: file.logo }),
    links: content.links ?? links,
    apps: content.apps ?? apps,
    setup: content.setup ?? setup,
    legal: { ...legal, ...content.legal },
    documents: { ...documents, seller: { ...documents.seller, ...content.documents?.seller } },
    methods: content.methods ?? methods,
    mail: {
      // The seller is the same on pages and in messages.
      seller: content.legal ? content.legal.seller : mail.seller,
      messages: content.mail?.messages ?? mail.messages,
    },
  }
}

function withLogo(
  file: ShopTexts,
  { logo, ...brand }: NonNullable<BrandContent["brand"]>,
): Pick<ShopTexts, "brand" | "logo"> {
  return {
    brand: { ...file.brand, ...brand },
    logo: logo && logoOf(Buffer.from(logo.data, "base64"), logo),
  }
}

/** The same shop as the console would set it: all sections, with the logo's bytes. */
export function brandContentOf(texts: ShopTexts): BrandContent {
  const { brand, logo, links, apps, setup, legal, documents, methods, mail } = texts
  const { name, title, guarantee, colours } = brand
  const { seller, terms, privacy, refunds } = legal
  return {
    brand: {
      name,
      title,
      guarantee,
      colours: { light: colours.light, dark: colours.dark },
      logo: logo && { data: logo.bytes.toString("base64"), withName: logo.withName, plate: logo.plate },
    },
    links,
    apps: apps.map((it) => ({ ...it, devices: [...it.devices] })),
    setup: Object.fromEntries(Object.entries(setup).map(([device, steps]) => [device, [...steps]])),
    legal: { seller, terms, privacy, refunds },
    documents: {
      seller: {
        name: documents.seller.name,
        address: [...documents.seller.address],
        email: documents.seller.email,
      },
    },
    methods: Object.fromEntries(
      Object.entries(methods).map(([id, it]) => [id, { ...it, place: it.place ?? null }]),
    ),
    mail: { messages: mail.messages },
  }
}
