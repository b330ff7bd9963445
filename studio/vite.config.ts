import { defineConfig } from "vite";

/// The workbench: a page and its files, served by `knower studio`.
export default defineConfig({
  base: "/",
  build: {
    outDir: "../src/knower/studio/assets",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    chunkSizeWarningLimit: 2000,
  },
  worker: { format: "es" },
});
