/** The commands that the project's pages show, and how each of them is tried. */
package io.microbatch.testbed.pages;
