import "i18next"
import type { enEn } from "./translations/en-en"

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof enEn }
  }
}
