import { defineConfig } from "vite";

/// The evidence of a run as one script and one style, which `knower check --html` puts into its page.
export default defineConfig({
  build: {
    outDir: "../src/knower/report/built",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/report.tsx", formats: ["iife"], name: "KnowerReport", fileName: () => "report.js" },
    rollupOptions: { output: { assetFileNames: "report.[ext]" } },
  },
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
});
