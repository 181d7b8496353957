import { seedFrom } from "./test-seed"

const seed = seedFrom(process.env)

// Without a seed, fast-check draws one per property and prints it on a failure.
if (seed !== null) {
  const { configureGlobal } = await import("fast-check")
  configureGlobal({ seed })
}
