import type { Config } from "@react-router/dev/config"

export default {
  appDirectory: ".",
  basename: "/checkout/",
  buildDirectory: "../../../../build/bench/reference",
} satisfies Config
