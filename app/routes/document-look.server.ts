import type { LoggedServices } from "~/context/services.server"
import type { DocumentLook } from "~/documents/document-page.server"
import { BASE } from "~/domain/base-path"

/** The brand of a document's page: that of today, whenever the document was issued. Its facts are those of its day. */
export function documentLook(
  { brand, logo }: Pick<LoggedServices["shop"], "brand" | "logo">,
  { nonce, back }: Pick<DocumentLook, "nonce" | "back">,
): Omit<DocumentLook, "files"> {
  return {
    shopName: brand.name,
    colours: brand.colours,
    logo: logo && `${BASE}${logo.path}`,
    logoHasName: logo?.withName === false,
    nonce,
    back,
  }
}
