/** What is released and how: checks of scripts, workflows and poms. */
package io.microbatch.connect.release;
